import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer
let member: Person

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer({ credits: 200 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number
const nonceOf = (page: string) => page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
const newNonce = async (path = '/dashboard/explorer') => nonceOf((await member.get(path)).text)

describe('the explorer of the dashboard', () => {
  test('the explorer shows the price of each look-up on its button', async () => {
    const page = await member.get('/dashboard/explorer?domain=pikebet.example')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Look up for 1 credit, with a launch profile for 6<')
    expect(page.text).toContain('Check for 10 credits<')
    expect(page.text).not.toContain('type="number"')
    expect(page.text).toContain('value="pikebet.example"')
    const { body } = await member.read('/dashboard/explorer')
    expect(body.data.prices).toMatchObject({ verdict: 1, company: 3, license: 3, check: 10 })
  })

  test('a verdict in the explorer is charged once, however often its form is sent', async () => {
    const before = await used()
    const fields = { domain: 'luckyotter.example', max_credits: '1', nonce: await newNonce() }
    const first = await member.post('/dashboard/explorer/verdict', fields)
    const again = await member.post('/dashboard/explorer/verdict', fields)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(first.text).toContain('✓ licensed')
    expect(first.text).toContain('099101-R-339101-004')
    expect(first.text).toContain('1 credit was charged.')
    expect(again.text).toContain('Shown again, free of charge.')
    expect(await used()).toBe(before + 1)
  })

  test("a verdict in the explorer names each market's source, with its official address", async () => {
    const look = async (domain: string) => {
      const fields = { domain, max_credits: '1', nonce: await newNonce() }
      return (await member.post('/dashboard/explorer/verdict', fields)).text
    }
    const licensed = await look('luckyotter.example')
    expect(licensed).toContain('Gambling Commission (Great Britain)')
    expect(licensed).toMatch(/<a href="https:[^"]+" rel="noreferrer noopener">ukgc\.licences<\/a>/)
    expect(licensed).toContain('imported records')
    expect(await look('redkite-casino.example')).toContain('italy.blocklist')
  })

  test('a verdict in the explorer says why a listing counts for the whole site or not', async () => {
    const look = async (domain: string) => {
      const fields = { domain, max_credits: '1', nonce: await newNonce() }
      return (await member.post('/dashboard/explorer/verdict', fields)).text
    }
    expect(await look('redkite-casino.example')).toContain('The list names redkite-casino.example itself.')
    const mention = await look('morningheron.example')
    expect(mention).toContain('which may belong to another party than morningheron.example')
    const [address] = mention.match(/\/docs\/guides\/[^"#]+#what-a-listing-counts-for/) ?? []
    const guide = await member.get(address as string)
    expect(guide.text).toContain('id="what-a-listing-counts-for"')
  })

  test('evidence in the explorer has images of this service and links to its sources', async () => {
    const evidence = async (section: string) => {
      const fields = { domain: 'luckyotter.example', max_credits: '1', nonce: await newNonce() }
      const sent = { ...fields, 'include[]': section }
      return (await member.post('/dashboard/explorer/verdict', sent)).text
    }
    expect(await evidence('logos')).toMatch(/<img src="\/logos\/[0-9a-f]{64}\.svg"/)
    expect(await evidence('licenses')).toContain('rel="noreferrer noopener">registers.example</a>')
    const history = await evidence('platform_history')
    expect(history).toContain('still running')
    expect(history).toMatch(/<section><h4>Platform history/)
  })

  test('a look-up form that is sent again with another domain is charged again', async () => {
    const before = await used()
    const nonce = await newNonce()
    for (const domain of ['luckyotter.example', 'redkite-casino.example'])
      expect(
        (await member.post('/dashboard/explorer/verdict', { domain, max_credits: '1', nonce })).status,
      ).toBe(200)
    expect(await used()).toBe(before + 2)
  })

  test("a look-up's usage record names the dashboard, and its command has no key", async () => {
    const fields = { domain: 'twofaced.example', max_credits: '1', nonce: await newNonce() }
    const { text } = await member.post('/dashboard/explorer/verdict', fields)
    expect(text).toContain('YOUR_KEY')
    expect(text).not.toContain(customer.key)
  })

  test('a refused look-up shows the form again, with the reason and the typed text', async () => {
    const before = await used()
    const wrong = await member.post('/dashboard/explorer/verdict', {
      domain: 'not a domain',
      max_credits: '1',
      nonce: await newNonce(),
    })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('role="alert"')
    expect(wrong.text).toContain('value="not a domain"')
    const low = await member.post('/dashboard/explorer/company', {
      identifier: 'name',
      company: 'Lucky Otter',
      max_credits: '2',
      nonce: await newNonce(),
    })
    expect(low.status).toBe(402)
    expect(low.text).toContain(
      'This could cost 3 credits, more than the price that you saw. Nothing was charged yet.',
    )
    expect(low.text).toContain('Look up for at most 3 credits<')
    expect(low.text).toContain('name="max_credits" value="3"')
    const empty = await member.post('/dashboard/explorer/license', {
      license_number: '',
      max_credits: '3',
      nonce: await newNonce(),
    })
    expect(empty.text).toContain('“License number”')
    expect(await used()).toBe(before)
  })

  test('firmographics are offered at their whole price before they are charged', async () => {
    const before = await used()
    const fields = {
      identifier: 'name',
      company: 'Lucky Otter',
      firmographics: 'true',
      max_credits: '3',
      nonce: await newNonce(),
    }
    const { text } = await member.post('/dashboard/explorer/company', fields)
    const [, offered] = text.match(/Look up for at most (\d+) credits</) ?? []
    expect(text).toMatch(/name="firmographics" value="true" checked/)
    expect(await used()).toBe(before)
    const agreed = { ...fields, max_credits: offered as string, nonce: nonceOf(text) }
    expect((await member.post('/dashboard/explorer/company', agreed)).status).toBe(200)
    const charged = (await used()) - before
    expect(charged).toBeGreaterThan(3)
    expect(charged).toBeLessThanOrEqual(Number(offered))
  })

  test('a refused verdict keeps all ticked sections', async () => {
    const form = new URLSearchParams({ domain: 'not a domain', max_credits: '6', nonce: await newNonce() })
    for (const section of ['logos', 'licenses']) form.append('include[]', section)
    const { text } = await member.post('/dashboard/explorer/verdict', form)
    for (const section of ['logos', 'licenses']) expect(text).toContain(`value="${section}" checked`)
  })

  test('a market is chosen from the same list in look-ups, feeds and exports', async () => {
    for (const page of ['explorer', 'feeds', 'exports']) {
      const { text } = await member.get(`/dashboard/${page}`)
      expect(text, page).toContain('<option value="ukgc">')
    }
  })

  test('a name without a Company is shown again, with the matches of the free preview', async () => {
    const look = async (company: string) => {
      const sent = { identifier: 'name', company, max_credits: '3', nonce: await newNonce() }
      const { text } = await member.post('/dashboard/explorer/company', sent)
      return text.match(/role="alert">([^<]*)</)?.[1]
    }
    expect(await look('otter')).toMatch(
      /^No Company has exactly the name &quot;otter&quot;\. The free preview of a search finds \d: Ot\*/,
    )
    // A value that is also the name of a field is not replaced by its label.
    expect(await look('legal_entity')).toContain('the name &quot;legal_entity&quot;.')
  })

  test('the explorer shows the profiles of a Company and a license', async () => {
    const company = await member.post('/dashboard/explorer/company', {
      identifier: 'domain',
      company: 'luckyotter.example',
      max_credits: '9',
      nonce: await newNonce(),
    })
    expect([company.status, company.text.includes('Ottermoor Gaming')]).toEqual([200, true])
    const license = await member.post('/dashboard/explorer/license', {
      license_number: '099101-R-339101',
      max_credits: '3',
      nonce: await newNonce(),
    })
    expect([license.status, license.text.includes('Remote Casino')]).toEqual([200, true])
    const none = await member.post('/dashboard/explorer/license', {
      license_number: 'XYZ-0',
      max_credits: '3',
      nonce: await newNonce(),
    })
    expect(none.status).toBe(404)
  })

  test('the explorer requests a check once, and links to its page', async () => {
    const fields = { domain: 'luckyotter.example', max_credits: '10', nonce: await newNonce() }
    const asked = await member.post('/dashboard/explorer/checks', fields)
    const path = asked.headers.get('location') as string
    expect([asked.status, path.startsWith('/dashboard/explorer/checks/enr_')]).toEqual([303, true])
    expect((await member.post('/dashboard/explorer/checks', fields)).headers.get('location')).toBe(path)
    const page = await member.get(path)
    expect(page.text).toContain('The site is being checked.')
    const endpoints = async () =>
      (await member.read('/dashboard/usage?per_page=50')).body.data.records.map(
        (record: { endpoint: string }) => record.endpoint,
      )
    // The page polls every two seconds. Only the request for the check is usage.
    await member.get(path)
    expect(await endpoints()).toContain('create_enrichment')
    expect(await endpoints()).not.toContain('show_enrichment')
    const other = await service.customer()
    const stranger = await signIn(service, { accountRef: other.accountRef })
    expect((await stranger.read(path)).status).toBe(404)
    expect((await stranger.read('/dashboard/explorer/checks/enr_00000000000000000009')).body.message).toBe(
      (await stranger.read(path)).body.message,
    )
  })

  test('a look-up that exceeds the balance names the missing credits, and is not charged', async () => {
    const poor = await service.customer({ credits: 0 })
    const owner = await signIn(service, { accountRef: poor.accountRef })
    const nonce = nonceOf((await owner.get('/dashboard/explorer')).text)
    const fields = { domain: 'luckyotter.example', max_credits: '1', nonce }
    const { status } = await owner.post('/dashboard/explorer/verdict', fields)
    expect(status).toBe(429)
  })
})

describe('the feeds in the dashboard', () => {
  test('the feeds page shows the state and last change of each source for free', async () => {
    const before = await used()
    const { body } = await member.read('/dashboard/feeds')
    expect(body.data.feeds.map((each: { feed: string }) => each.feed)).toEqual([
      'register_changes',
      'market_entries',
      'platform_sites',
    ])
    expect(body.data.feeds[0].signals).toBeGreaterThan(0)
    expect(body.data.feeds[0].last_detected_at).not.toBeNull()
    expect(body.data.streams.length).toBeGreaterThan(0)
    expect(body.data.streams).toContainEqual(
      expect.objectContaining({
        market: 'Great Britain',
        stream: 'ukgc.licences',
        truth_state: expect.any(String),
      }),
    )
    expect(JSON.stringify(body.data.streams)).not.toMatch(/import|hold_reasons/)
    for (const feed of ['register_changes', 'market_entries', 'platform_sites'])
      expect((await member.get(`/dashboard/feeds?feed=${feed}`)).status).toBe(200)
    expect(await used()).toBe(before)
  })

  test('the dashboard reads feeds page by page, and each Signal is charged once', async () => {
    const before = await used()
    const fields = {
      feed: 'register_changes',
      market: 'ukgc',
      max_credits: '20',
      nonce: await newNonce('/dashboard/feeds'),
    }
    const page = await member.post('/dashboard/feeds', fields)
    expect(page.status).toBe(200)
    const rows = page.text.match(/<tr>/g)?.length ?? 0
    expect(await used()).toBe(before + rows - 1)
    await member.post('/dashboard/feeds', fields)
    expect(await used()).toBe(before + rows - 1)
  })

  test('a form for a feed that is sent without a market asks for a market', async () => {
    const fields = { feed: 'market_entries', max_credits: '20', nonce: await newNonce('/dashboard/feeds') }
    const { status, text } = await member.post('/dashboard/feeds', fields)
    expect([status, text.includes('Choose a market.')]).toEqual([400, true])
  })
})

test.each([
  ['GET', '/dashboard/explorer'],
  ['GET', '/dashboard/feeds'],
  ['POST', '/dashboard/explorer/verdict'],
  ['POST', '/dashboard/feeds'],
])('%s %s is not found for the role billing', async (method, path) => {
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  const { status } = method === 'GET' ? await billing.get(path) : await billing.post(path, {})
  expect(status).toBe(404)
})
