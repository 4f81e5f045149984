import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { type Ask, startService, type TestService } from '../../../test/harness/service.ts'
import { drawing, type LogoFeed, logoLine, openLogoFeed } from '../../features/logos/fixture.ts'
import { storedName, withdrawLogos } from '../../features/logos/index.ts'

let service: TestService
let feed: LogoFeed
let png: Buffer
const named = (content: string | Uint8Array, extension: string) =>
  `${createHash('sha256').update(content).digest('hex')}.${extension}`
const stored = (content: string | Uint8Array, extension = 'svg') =>
  `http://baize.test/logos/${named(content, extension)}`

/** These images have different widths, so that a redirect can be identified. */
const [plain, dark, icon, owned, old, withdrawn, rejected, tall] = [1, 2, 3, 4, 5, 6, 7, 8].map(width =>
  drawing(width),
) as [string, string, string, string, string, string, string, string]
/** This image has more than 4 KB. */
const detailed = drawing(9).replace('</svg>', `${'<path d="M0 0h9v9z"/>'.repeat(300)}</svg>`)

beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
  feed = await openLogoFeed(service)
  png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#1f7a4d' } })
    .png()
    .toBuffer()
  await feed.put('9.png', png)
  await feed.put('10.svg', detailed)
  for (const [index, svg] of [plain, dark, icon, owned, old, withdrawn, rejected].entries())
    await feed.put(`${index + 1}.svg`, svg)
  const otter = (rest: object) => logoLine('operator_brand', 'lucky-otter', 'Lucky Otter', rest)
  await feed.load([
    {
      kind: 'company',
      key: 'moor',
      company_name: 'Ottermoor',
      role: ['operator'],
      brands: ['Lucky Otter', 'Drab'],
    },
    {
      kind: 'domain',
      domain: 'luckyotter.example',
      company: 'moor',
      relation: 'licensee',
      brand: 'Lucky Otter',
    },
    { kind: 'domain', domain: 'drab.example', company: 'moor', relation: 'licensee', brand: 'Drab Casino' },
    { kind: 'domain', domain: 'moor.example', company: 'moor', relation: 'brand_owner' },
    otter({ file: '5.svg' }),
    logoLine('company', 'ottermoor', 'Ottermoor', { file: '4.svg' }),
    logoLine('company', 'os', 'Other Slug Ltd', { file: '4.svg' }),
    logoLine('company', 'moors', 'Moors', { domain: 'own.example', file: '4.svg' }),
    logoLine('supplier_brand', 'gone', 'Gone Games', { domain: 'gone.example', file: '6.svg' }),
    logoLine('game', 'refused', 'Refused', { file: '7.svg', status: 'rejected' }),
  ])
  await feed.load([
    otter({ file: '1.svg' }),
    otter({ file: '9.png' }),
    otter({ file: '2.svg', theme: 'dark' }),
    otter({ file: '3.svg', variant: 'icon' }),
    logoLine('game', 'detailed', 'Detailed', { file: '10.svg' }),
  ])
  await service.service.files.put(storedName(named(tall, 'svg')), Readable.from([tall]))
  const reason = 'its owner asked for it'
  await withdrawLogos(service.service.live, { kind: 'supplier_brand', slug: 'gone', reason, now: new Date() })
})
afterAll(async () => {
  await feed.close()
  await service.close()
})

const image = (path: string, ask: Ask = {}) => service.ask(`/images/${path}`, ask)

describe('an image redirect to the stored file', () => {
  test.each([
    ['luckyotter.example', stored(plain)],
    ['www.LuckyOtter.example', stored(plain)],
    ['https%3A%2F%2Fluckyotter.example%2Fcasino%3Fx=1', stored(plain)],
    ['https://luckyotter.example/casino', stored(plain)],
    ['operator_brand/lucky-otter', stored(plain)],
    ['operator_brand/Lucky%20Otter', stored(plain)],
    ['company/Other%20Slug%20Ltd.', stored(owned)],
    ['company/other-slug-ltd', stored(owned)],
    ['operator_brand/lucky-otter?theme=dark', stored(dark)],
    ['operator_brand/lucky-otter?variant=icon', stored(icon)],
    ['luckyotter.example?variant=icon&theme=light&format=svg', stored(icon)],
    ['company/ottermoor', stored(owned)],
    ['company/ottermoor?fallback=404', stored(owned)],
    ['own.example', stored(owned)],
  ])('the image %s redirects to the stored file', async (path, location) => {
    const { status, headers, text } = await image(path)
    expect([status, headers.get('location'), text]).toEqual([302, location, ''])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('an image redirects to the file of the requested format', async () => {
    const { status, headers } = await image('luckyotter.example?format=png')
    expect([status, headers.get('location')]).toEqual([302, stored(png, 'png')])
  })

  test('an image below /images/demo redirects to the stored file of the demo world only', async () => {
    const { status, headers } = await image('demo/luckyotter.example?theme=dark')
    expect(status).toBe(302)
    const file = new URL(headers.get('location') ?? '')
    const { status: found, headers: about } = await service.ask(file.pathname)
    expect([found, about.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect((await image('demo/payment_method/pigeon-pay?format=png')).status).toBe(302)
    expect((await image('payment_method/pigeon-pay?fallback=404')).status).toBe(404)
  })
})

describe('an image without a stored logo', () => {
  test.each([
    ['unknown.example', 'unknown', 'U'],
    ['xn--glcksfall-r9a.example', 'glücksfall', 'G'],
    ['drab.example', 'Drab Casino', 'DC'],
    ['moor.example', 'moor', 'M'],
    ['gone.example', 'Gone Games', 'GG'],
    ['game/nobody-knows-it', 'nobody knows it', 'NK'],
    ['game/refused', 'Refused', 'R'],
    ['game/%3Cscript%3Ealert(1)%3C%2Fscript%3E', '&lt;script&gt;alert(1)&lt;', 'SA'],
    ['operator_brand/lucky-otter?theme=dark&variant=icon', 'Lucky Otter', 'LO'],
    ['operator_brand/lucky-otter?format=gif', 'Lucky Otter', 'LO'],
  ])('the image %s is a monogram of %s', async (path, name, initials) => {
    const { status, headers, text } = await image(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(text).toContain(`<title>${name}`)
    expect(text).toContain(`>${initials}</text>`)
    expect(text).not.toMatch(/<script/i)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each(['unknown.example', 'gone.example', 'game/nobody-knows-it', 'luckyotter.example?format=gif'])(
    'the image %s answers 404 with fallback=404',
    async path => {
      const { status, body, headers } = await image(`${path}${path.includes('?') ? '&' : '?'}fallback=404`)
      expect([status, body.success, body.errors.code]).toEqual([404, false, 'not_found'])
      expect(headers.get('cache-control')).toBe('private, no-store')
    },
  )

  test('a monogram is revalidated by its ETag, and answers HEAD', async () => {
    const { headers } = await image('unknown.example')
    const again = await image('unknown.example', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', headers.get('etag')])
    const head = await image('unknown.example', { method: 'HEAD' })
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 300]).toEqual([
      200,
      '',
      true,
    ])
  })
})

describe('a stored file', () => {
  const ask = (file: string, how: Ask = {}) => service.ask(`/logos/${file}`, how)

  test('a stored file is sent unchanged, cached for a year, and cannot run scripts', async () => {
    const { status, headers, text } = await ask(named(plain, 'svg'))
    expect([status, text]).toEqual([200, plain])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-length': String(plain.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  test('a stored file of a detailed drawing is compressed on request', async () => {
    const ask = (headers: Record<string, string>) =>
      service.ask(`/logos/${named(detailed, 'svg')}`, { headers })
    const [plain, gzipped] = [
      await ask({ 'accept-encoding': 'identity' }),
      await ask({ 'accept-encoding': 'gzip' }),
    ]
    expect([plain.status, plain.text, gzipped.text]).toEqual([200, detailed, detailed])
    expect([plain, gzipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip'])
    expect(gzipped.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    for (const { headers } of [plain, gzipped]) {
      expect(headers.get('vary')).toBe('accept-encoding')
      const known = { 'if-none-match': headers.get('etag') ?? '' }
      expect((await ask({ ...known, 'accept-encoding': 'gzip' })).status).toBe(304)
    }
  })

  test('a stored file of pixels is sent byte for byte', async () => {
    const response = await fetch(`${service.url}/logos/${named(png, 'png')}`)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
  })

  test('a stored file is revalidated by its ETag, and answers HEAD', async () => {
    const etag = `"${named(plain, 'svg').slice(0, 64)}"`
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await ask(named(plain, 'svg'), { headers: { 'if-none-match': known } })).status).toBe(304)
    expect((await ask(named(plain, 'svg'), { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    const head = await ask(named(plain, 'svg'), { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(plain.length),
    ])
  })

  test('a stored file that cannot be opened answers an error, which is not cached', async () => {
    const { files } = service.service
    const { find } = files
    files.find = async name => {
      const found = await find(name)
      const open = () => Promise.reject(new Error('the store is down'))
      return found && { ...found, open }
    }
    const head = await ask(named(plain, 'svg'), { method: 'HEAD' })
    const { status, headers, body } = await ask(named(plain, 'svg')).finally(() => {
      files.find = find
    })
    expect([status, body.errors.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '10'])
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null])
    // A request for the headers alone opens no file.
    expect(head.status).toBe(200)
  })

  test('a superseded logo file is still served, because the history of logos links to it', async () => {
    expect((await ask(named(old, 'svg'))).status).toBe(200)
  })

  test.each([
    ['that was withdrawn', named(withdrawn, 'svg')],
    ['that was rejected', named(rejected, 'svg')],
    ['that is stored and named by nothing', named(tall, 'svg')],
    ['that nobody stored', `${'0'.repeat(64)}.svg`],
    ['of another format', named(plain, 'png')],
    ['of another name', 'lucky-otter.svg'],
    ['that leads out', '..%2F..%2Fetc%2Fpasswd'],
    ['without a name', ''],
  ])('a stored file %s answers 404', async (_what, file) => {
    const { status, body } = await ask(file)
    expect([status, body.success]).toEqual([404, false])
  })

  test('a file that two subjects use is served while one of them still shows it', async () => {
    const withdraw = (slug: string) =>
      withdrawLogos(service.service.live, { kind: 'company', slug, reason: 'asked for', now: new Date() })
    await withdraw('moors')
    expect((await ask(named(owned, 'svg'))).status).toBe(200)
    await withdraw('ottermoor')
    await withdraw('os')
    expect((await ask(named(owned, 'svg'))).status).toBe(404)
    await feed.load([logoLine('company', 'ottermoor', 'Ottermoor', { file: '4.svg' })])
    expect((await ask(named(owned, 'svg'))).status).toBe(404)
    await feed.load([logoLine('company', 'ottermoor', 'Ottermoor', { file: '4.svg', status: 'current' })])
    expect((await ask(named(owned, 'svg'))).status).toBe(200)
  })
})

describe('a refused request for an image', () => {
  test.each([
    ['127.0.0.1', 'invalid_domain', 'domain'],
    ['localhost', 'invalid_domain', 'domain'],
    ['', 'invalid_domain', 'domain'],
    ['under_score.example', 'invalid_domain', 'domain'],
    ['casino.example%00', 'invalid_domain', 'domain'],
    [`${'a'.repeat(3_000)}.example`, 'invalid_domain', 'domain'],
    ['brand/lucky-otter', 'invalid_parameter', 'kind'],
    ['company/', 'invalid_parameter', 'slug'],
    ['company/%20', 'invalid_parameter', 'slug'],
    ['luckyotter.example?theme=', 'invalid_parameter', 'theme'],
    ['luckyotter.example?theme=%3Cb%3E', 'invalid_parameter', 'theme'],
    ['luckyotter.example?variant=a%27b', 'invalid_parameter', 'variant'],
    ['luckyotter.example?format=bmp', 'invalid_parameter', 'format'],
    ['luckyotter.example?fallback=200', 'invalid_parameter', 'fallback'],
    ['luckyotter.example?theme=dark&theme=light', 'invalid_parameter', 'theme'],
    ['luckyotter.example?size=64', 'unknown_parameter', 'size'],
  ])('the request /images/%s is refused as %s', async (path, code, parameter) => {
    const { status, body } = await image(path)
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([400, code, parameter])
  })

  test.each(['images/luckyotter.example', `logos/${'0'.repeat(64)}.svg`])(
    'a POST to /%s is refused with 405',
    async path => {
      const { status, headers, body } = await service.ask(`/${path}`, { method: 'POST' })
      expect([status, headers.get('allow'), body.errors.code]).toEqual([
        405,
        'GET, HEAD',
        'method_not_allowed',
      ])
    },
  )
})

test('service_unavailable: an image answers 503 with Retry-After if the database is too slow', async () => {
  const { status, body, headers } = await withClient(service.database.connection, async client => {
    await client.query('begin; lock table logo_subjects in access exclusive mode')
    const answer = image('operator_brand/lucky-otter')
    await eventually('a statement waits, and is cancelled', async () => {
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and application_name like 'baize public%'`,
      )
      return rowCount
    })
    await client.query('rollback')
    return answer
  })
  expect([status, body.errors.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2'])
})

test('requests for images ignore their API key', async () => {
  expect((await image('luckyotter.example', { key: 'client_wrong' })).status).toBe(302)
})

test('the throttle of images allows ten times as many requests as the throttle of /v1', async () => {
  const narrow = await startService({ throttlePerMinute: 1 })
  try {
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push((await narrow.ask('/images/a.example')).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    const { body, headers } = await narrow.ask('/images/a.example')
    expect([body.error, Number(headers.get('retry-after')) >= 1]).toEqual(['Rate limit exceeded', true])
    expect((await narrow.ask('/v1/account')).status).toBe(401)
  } finally {
    await narrow.close()
  }
})
