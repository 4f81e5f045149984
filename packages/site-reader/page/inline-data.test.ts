import { describe, expect, test } from 'vitest'
import { httpCapture } from '../fixture.ts'
import { readCaptures } from '../read-captures.ts'
import { parsed } from './fixture.ts'

const shell = (script: string, body = '<div id="root"></div>') => `<html><body>${body}${script}</body></html>`
const json = (value: unknown) => `<script type="application/json">${JSON.stringify(value)}</script>`
const namesIn = (html: string) => parsed(html).data.map(({ text, within }) => `${within} ${text}`)

const state = {
  gameProviders: [{ name: 'Wazdan', games: [{ name: 'Playson' }] }, { title: 'BGaming' }],
  cashier: { methods: [{ name: 'Skrill', type: 'deposit' }, { code: 'btc' }] },
}
const found = ['studios Wazdan', 'studios BGaming', 'methods Skrill', 'methods btc']

describe('lists in the data of a page that only scripts fill', () => {
  const text = JSON.stringify(state)
  test.each([
    ['a JSON element', json(state)],
    ['a variable', `<script>window.__STATE__=${text};window.x=1</script>`],
    [
      'a literal without quotes around keys',
      `<script>__NUXT__={${text.replaceAll(/"(\w+)":/g, '$1:').slice(1)}</script>`,
    ],
    ['JSON in a string', `<script>window.S=JSON.parse(${JSON.stringify(text)})</script>`],
    [
      'streamed pieces',
      [text.slice(0, 60), text.slice(60)]
        .map(piece => `<script>self.__next_f.push([1,${JSON.stringify(piece)}])</script>`)
        .join(''),
    ],
  ])('names are read from %s', (_name, script) => {
    expect(namesIn(shell(script))).toEqual(found)
  })

  test('names are read from the data of Nuxt, whose values are positions', () => {
    const data = [
      ['Reactive', 1],
      { providers: 2, payments: 5 },
      [3, 4],
      { name: 6 },
      { name: 7 },
      [8],
      'Wazdan',
      'Gamomat',
      { name: 9 },
      'Skrill',
    ]
    const script = `<script type="application/json" id="__NUXT_DATA__">${JSON.stringify(data)}</script>`
    expect(namesIn(shell(script))).toEqual(['studios Wazdan', 'studios Gamomat', 'methods Skrill'])
  })

  test('names are read from strings in a list, maps by name, and the studios of games', () => {
    const data = {
      providers: ['Wazdan'],
      payments: { skrill: { label: 'Skrill' } },
      games: [{ name: 'Razor', provider: 'BGaming' }],
    }
    expect(namesIn(shell(json(data)))).toEqual(['studios Wazdan', 'methods Skrill', 'studios BGaming'])
  })

  test.each([
    [
      'what is switched off',
      {
        payments: [
          { name: 'Skrill', active: false },
          { name: 'Visa', status: 'coming_soon' },
          { name: 'Payz', disabled: true },
        ],
      },
    ],
    ['translations', { i18n: { providers: ['Wazdan'] }, 'error.paypal': 'We do not support PayPal' }],
    [
      'casinos that are compared',
      { casinos: [{ name: 'Otter', providers: ['Wazdan'], payments: ['Skrill'] }] },
    ],
    ['what is restricted', { restrictedProviders: ['Wazdan'], blocked: { payments: ['Skrill'] } }],
    ['lists of others', { features: [{ name: 'Evolution' }], tiers: [{ name: 'Visa' }] }],
  ])('nothing is read from %s', (_name, data) => {
    expect(namesIn(shell(json(data)))).toEqual([])
  })

  test('data beside visible text, links or a form is not read', () => {
    expect(namesIn(shell(json(state), `<p>${'Casinos compared. '.repeat(9)}</p>`))).toEqual([])
    expect(namesIn(shell(json(state), '<a href=/a>A</a><a href=/b>B</a>'))).toEqual([])
    expect(namesIn(shell(json(state), '<form><input></form>'))).toEqual([])
  })
})

describe('findings of a page that only scripts fill', () => {
  const valuesOf = async (data: unknown) => {
    const capture = httpCapture(shell(json(data)))
    const { findings } = await readCaptures([capture], {
      domain: 'luckyotter.example',
      licensed: false,
      earlierLive: false,
    })
    const named = findings.filter(({ section }) => /payment_methods|supplier_brands/.test(section))
    return {
      values: named.map(({ valueKey }) => valueKey).toSorted(),
      strengths: [...new Set(named.map(({ strength }) => strength))],
      launch: findings.find(({ section }) => section === 'launch')?.value.status,
    }
  }

  test('studios and methods count with strength 1, and say nothing of the launch', async () => {
    expect(await valuesOf(state)).toEqual({
      values: ['BGaming', 'Wazdan', 'bitcoin', 'skrill'],
      strengths: [1],
      launch: 'unknown',
    })
  })

  test('methods without a studio may be those of a shop, and do not count', async () => {
    expect((await valuesOf({ payments: [{ name: 'Skrill' }, { name: 'Visa' }] })).values).toEqual([])
  })
})

test('data of scripts, which lists other markets, does not count beside a drawn DOM', async () => {
  const markets = {
    se: { cashier: { methods: [{ name: 'Swish' }] } },
    mt: { cashier: { methods: [{ name: 'Skrill' }] } },
  }
  const root = httpCapture(shell(`<script>window.MARKETS=${JSON.stringify(markets)}</script>`))
  const dom = httpCapture(
    '<nav><a href="/casino">Casino</a><a href="/register">Register</a></nav><p>We accept Skrill.</p>',
    { kind: 'dom' },
  )
  const methodsOf = async (...captures: (typeof root)[]) => {
    const { findings } = await readCaptures(captures, {
      domain: 'luckyotter.example',
      licensed: true,
      earlierLive: true,
    })
    return findings
      .filter(({ section }) => section === 'payment_methods')
      .map(({ value }) => value.normalized_name)
      .toSorted()
  }
  expect(await methodsOf(root, dom)).toEqual(['skrill'])
  expect(await methodsOf(root, { ...dom, truncated: true })).toEqual(['skrill', 'swish'])
  expect(await methodsOf(root, { ...dom, failure: { reason: 'timeout', message: 'timeout' } })).toEqual(
    await methodsOf(root),
  )
})
