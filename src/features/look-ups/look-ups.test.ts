import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { mergeCompanies } from '../companies/index.ts'

let service: TestService
let customer: Customer
let member: Person
let ottermoor: string

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer({ credits: 500 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  ottermoor = await refOf('Lucky Otter')
})
afterAll(() => service.close())

/** The ref of a Company, as another account learns it. */
async function refOf(name: string): Promise<string> {
  const other = await service.customer()
  const { body } = await other.ask(`/v1/companies/resolve?name=${encodeURIComponent(name)}`)
  return body.data.companies[0].company_ref
}

const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number
const nonceOf = (page: string) => page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
const newNonce = async (path: string) => nonceOf((await member.get(path)).text)

/** Presses the button of a page, and returns the page to which it leads. */
async function press(path: string, fields: Record<string, string>, page = path) {
  const sent = { nonce: await newNonce(page), ...fields }
  const { status, headers } = await member.post(path, sent)
  expect([path, status]).toEqual([path, 303])
  const next = headers.get('location') as string
  return { ...(await member.get(next)), next, sent }
}

describe('the page of a site', () => {
  const path = '/dashboard/domains/luckyotter.example'

  test('opening the page of a site is free, and its button shows the price', async () => {
    const before = await used()
    const { status, text } = await member.get('/dashboard/domains/pikebet.example')
    expect(status).toBe(200)
    expect(text).toContain('Show the verdict for 1 credit<')
    expect(text).not.toContain('Bought')
    expect(text).not.toMatch(/licensed in|blocked in/)
    expect(await used()).toBe(before)
  })

  test('a verdict is bought once, and shown again free of charge with its date', async () => {
    const before = await used()
    const { text, next, sent } = await press(path, { max_credits: '1' })
    expect(next).toBe(path)
    expect(text).toContain('✓ licensed')
    expect(text).toMatch(/Bought <time[^>]*>[^<]*<\/time> for 1 credit/)
    expect(text).toContain('099101-R-339101-004')
    expect((await member.post(path, sent)).status).toBe(303)
    await member.get(path)
    expect(await used()).toBe(before + 1)
    const colleague = await signIn(service, { accountRef: customer.accountRef })
    expect((await colleague.get(path)).text).toContain('✓ licensed')
  })

  test('a verdict that another account bought is not shown', async () => {
    const other = await service.customer()
    const stranger = await signIn(service, { accountRef: other.accountRef })
    const { body } = await stranger.read(path)
    expect(body.data.bought).toBeNull()
    expect((await stranger.get('/dashboard/search')).text).not.toContain('luckyotter.example')
  })

  test('a fresh verdict is charged again', async () => {
    const before = await used()
    await press(path, { max_credits: '1' })
    expect(await used()).toBe(before + 1)
  })

  test('a verdict is a sentence with its reasons, and each row has its source', async () => {
    const { text } = await press('/dashboard/domains/redkite-casino.example', { max_credits: '1' })
    expect(text).toMatch(/This site is blocked in [^.]*Italy/)
    expect(text).toContain('The list names redkite-casino.example itself.')
    expect(text).toContain('italy.blocklist')
    const mention = await press('/dashboard/domains/morningheron.example', { max_credits: '1' })
    expect(mention.text).toContain('which may belong to another party than morningheron.example')
    const [address] = mention.text.match(/\/docs\/guides\/[^"#]+#what-a-listing-counts-for/) ?? []
    expect((await member.get(address as string)).text).toContain('id="what-a-listing-counts-for"')
  })

  test('the page of a site links to its Company, and shows what the site shows', async () => {
    const { text } = await member.get(path)
    expect(text).toContain(`href="/dashboard/companies/${ottermoor}"`)
    expect(text).toMatch(/<img src="\/logos\/[0-9a-f]{64}\.svg"/)
    expect(text).toMatch(/<h3>Platform history/)
    expect(text).toContain('YOUR_KEY')
    expect(text).not.toContain(customer.key)
  })

  test('a withdrawn logo is listed as such, without an image or a link that answers 404', async () => {
    for (const page of [
      '/dashboard/domains/redkite-casino.example',
      '/dashboard/dossier?domain=redkite-casino.example',
    ]) {
      const { text } = await member.get(page)
      expect(text).toContain('<p>Withdrawn</p>')
      expect(text).not.toMatch(/(src|href)="[^"]*\/logos\//)
    }
  })

  test('bought rows of registers are a file at the address of the page', async () => {
    const { text } = await member.get(`${path}.csv`)
    expect(text).toContain('market,says,published')
    expect(text).toContain('099101-R-339101-004')
    expect(
      (await member.get('/dashboard/domains/twofaced.example.csv')).text.trim().split('\n'),
    ).toHaveLength(1)
  })

  test('another spelling of a site leads to its address', async () => {
    const { status, headers } = await member.get('/dashboard/domains/WWW.LuckyOtter.example')
    expect([status, headers.get('location')]).toEqual([302, path])
    expect((await member.get('/dashboard/domains/nonsense')).status).toBe(400)
  })

  test('a launch profile is bought by a button with the whole price', async () => {
    const before = await used()
    const { text } = await press(path, { max_credits: '6', launch_profile: 'true' })
    expect(text).toContain('Launch profile</h2>')
    const charged = (await used()) - before
    expect(charged).toBe(6)
  })

  test('a later verdict leaves the bought launch profile on the page and in the dossier', async () => {
    const { text } = await press(path, { max_credits: '1' })
    const dossier = (await member.get('/dashboard/dossier?domain=luckyotter.example')).text
    for (const page of [text, dossier]) expect(page).toContain('Operator launch profile')
    expect(text).toMatch(/Bought <time[^>]*>[^<]*<\/time> for 1 credit\..*for 6 credits\./s)
    const recent = (await member.get('/dashboard/search')).text
    expect(recent.match(/href="\/dashboard\/domains\/luckyotter\.example"/g)).toHaveLength(1)
  })

  test('a price above that of the button is offered before anything is charged', async () => {
    const before = await used()
    const fields = { max_credits: '0', nonce: await newNonce(path) }
    const { status, text } = await member.post(path, fields)
    expect(status).toBe(402)
    expect(text).toContain('This could cost 1 credit, more than the price that you saw.')
    expect(await used()).toBe(before)
  })

  test('an account without credits is refused on the page of the site', async () => {
    const poor = await service.customer({ credits: 0 })
    const owner = await signIn(service, { accountRef: poor.accountRef })
    const fields = { max_credits: '1', nonce: nonceOf((await owner.get(path)).text) }
    expect((await owner.post(path, fields)).status).toBe(429)
  })
})

describe('the page of a Company', () => {
  let path: string
  beforeAll(() => {
    path = `/dashboard/companies/${ottermoor}`
  })

  test('a Company that was not bought is masked as in the preview, with free counts of people', async () => {
    const before = await used()
    const { text } = await member.get(path)
    expect(text).toContain('<h1>Ot***</h1>')
    expect(text).not.toContain('Ottermoor')
    expect(text).toContain('Show the profile for 3 credits<')
    expect(text).toMatch(/Buy 1 for at most 9 credits|Buy 1 for 9 credits/)
    expect(await used()).toBe(before)
  })

  test('a profile is bought once, and links to markets, licenses and sites', async () => {
    const before = await used()
    const { text } = await press(path, { max_credits: '3' })
    expect(await used()).toBe(before + 3)
    expect(text).toContain('<h1>Ottermoor Gaming</h1>')
    for (const link of ['markets/ukgc', 'domains/luckyotter.example', 'licenses/lic_'])
      expect(text).toContain(`href="/dashboard/${link}`)
    expect(text).toContain('Remote Casino')
  })

  test('people of a role are bought by the button of the role, and shown again', async () => {
    const grown = await service.customer({ credits: 100, plan: 'growth' })
    const owner = await signIn(service, { accountRef: grown.accountRef })
    const page = await owner.get(path)
    const [, role, credits] =
      page.text.match(/name="role" value="([^"]+)"><input type="hidden" name="max_credits" value="(\d+)"/) ??
      []
    const fields = { role: role as string, max_credits: credits as string, nonce: nonceOf(page.text) }
    const { status, headers } = await owner.post(`${path}/people`, fields)
    expect([status, headers.get('location')]).toEqual([303, `${path}#people`])
    const { body } = await owner.read(path)
    expect(body.data.people.contacts.length).toBeGreaterThan(0)
    expect((await owner.get(path)).text).toContain(body.data.people.contacts[0].name)
  })

  test('firmographics are bought by a button with the whole price', async () => {
    const before = await used()
    const { text } = await member.get(path)
    const [, price] = text.match(/With firmographics of 5 sites for at most (\d+) credits</) ?? []
    const bought = await press(path, { max_credits: price as string, firmographics: 'true' })
    expect(bought.text).toContain('Firmographics')
    const charged = (await used()) - before
    expect(charged).toBeGreaterThan(3)
    expect(charged).toBeLessThanOrEqual(Number(price))
  })

  test('a later profile, also by its name, leaves the bought firmographics on the page', async () => {
    const again = await press(path, { max_credits: '3' })
    expect(again.text).toContain('<dt>Firmographics</dt>')
    expect(again.text).toMatch(/Bought <time[^>]*>[^<]*<\/time> for 3 credits\./)
    const fields = { identifier: 'name', q: 'Lucky Otter', max_credits: '3' }
    const named = await press('/dashboard/look-ups/company', fields, path)
    expect(named.text).toContain('<dt>Firmographics</dt>')
  })

  test('an unknown Company and an unknown license have no page', async () => {
    for (const missing of ['companies/co_00000000000000000009', 'licenses/lic_00000000000000000009']) {
      const { status, text } = await member.get(`/dashboard/${missing}`)
      expect([missing, status]).toEqual([missing, 404])
      expect(text).toContain('<main')
      const sent = await member.post(`/dashboard/${missing}`, {
        max_credits: '3',
        nonce: await newNonce(path),
      })
      expect([missing, sent.status]).toEqual([missing, 404])
    }
  })

  test('a Company is bought by its exact name, and a shared name shows its Companies free', async () => {
    const fields = { identifier: 'name', max_credits: '3' }
    const found = await press('/dashboard/look-ups/company', { ...fields, q: 'Lucky Otter' }, path)
    expect(found.next).toBe(path)
    const before = await used()
    const shared = await press('/dashboard/look-ups/company', { ...fields, q: 'Cloudberry' }, path)
    expect(shared.next).toBe('/dashboard/search?q=Cloudberry')
    expect(shared.text).toContain('2 Companies have this name')
    expect(await used()).toBe(before)
  })

  test('a name without a Company is refused with the matches of the free preview', async () => {
    const sent = { identifier: 'name', q: 'otter', max_credits: '3', nonce: await newNonce(path) }
    const { status, text } = await member.post('/dashboard/look-ups/company', sent)
    expect(status).toBe(404)
    expect(text).toContain('The free preview of a search finds')
  })

  test('the page of a merged Company leads to that of the survivor', async () => {
    const [from, into] = [await refOf('Janus Play'), await refOf('Lingonlotteri')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one party', now: new Date() })
    const { status, headers } = await member.get(`/dashboard/companies/${from}`)
    expect([status, headers.get('location')]).toEqual([302, `/dashboard/companies/${into}`])
  })
})

describe('the page of a license and of a market', () => {
  test('a license is bought by its number, and its page shows it again', async () => {
    const before = await used()
    const fields = { license_number: '099101-R-339101', max_credits: '3' }
    const { next, text } = await press('/dashboard/look-ups/license', fields, '/dashboard/domains/a.example')
    expect(next).toMatch(/^\/dashboard\/licenses\/lic_/)
    expect(text).toContain('<h1>099101-R-339101-004</h1>')
    expect(text).toContain(`href="/dashboard/companies/${ottermoor}"`)
    expect(await used()).toBe(before + 3)
    const other = await service.customer()
    const stranger = await signIn(service, { accountRef: other.accountRef })
    const masked = (await stranger.get(next)).text
    expect(masked).toContain('Ot***')
    expect(masked).not.toMatch(/099101|Ottermoor/)
  })

  test('a market shows its regime, its sources and counts, free of charge', async () => {
    const before = await used()
    const { status, text } = await member.get('/dashboard/markets/ukgc')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Great Britain</h1>')
    expect(text).toContain('ukgc.licences')
    expect(text).toMatch(/href="\/dashboard\/companies\?jurisdiction=ukgc">\d+</)
    expect(await used()).toBe(before)
    expect((await member.get('/dashboard/markets/atlantis')).status).toBe(404)
  })
})

describe('a check of a site', () => {
  test('a check is requested once, and leads to its page', async () => {
    const site = '/dashboard/domains/luckyotter.example'
    const fields = { domain: 'luckyotter.example', max_credits: '10', nonce: await newNonce(site) }
    const asked = await member.post('/dashboard/checks', fields)
    const path = asked.headers.get('location') as string
    expect([asked.status, path.startsWith('/dashboard/checks/enr_')]).toEqual([303, true])
    expect((await member.post('/dashboard/checks', fields)).headers.get('location')).toBe(path)
    expect((await member.get(path)).text).toContain('The site is being checked.')
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
    expect((await stranger.read('/dashboard/checks/enr_00000000000000000009')).body.message).toBe(
      (await stranger.read(path)).body.message,
    )
  })
})

describe('the feeds in the dashboard', () => {
  const path = '/dashboard/feeds'

  test('the feeds page shows the state of each source and counts by day, free of charge', async () => {
    const before = await used()
    const { body } = await member.read(`${path}?market=ukgc`)
    expect(body.data.feeds.map((each: { feed: string }) => each.feed)).toEqual([
      'register_changes',
      'market_entries',
      'platform_sites',
    ])
    expect(body.data.streams).toContainEqual(
      expect.objectContaining({
        market: 'Great Britain',
        stream: 'ukgc.licences',
        truth_state: expect.any(String),
      }),
    )
    expect(JSON.stringify(body.data.streams)).not.toMatch(/import|hold_reasons/)
    const days = body.data.days.map((each: { day: string }) => each.day)
    expect(days).toEqual(days.toSorted().toReversed())
    for (const feed of ['register_changes', 'market_entries', 'platform_sites'])
      expect((await member.get(`${path}?feed=${feed}`)).status).toBe(200)
    expect(await used()).toBe(before)
  })

  test('the newest days of a feed are bought once, and shown again with the newest day first', async () => {
    const page = await member.get(`${path}?market=ukgc`)
    const hidden = (name: string) =>
      page.text.match(new RegExp(`name="${name}" value="([^"]*)"`))?.[1] as string
    const before = await used()
    const fields = {
      market: 'ukgc',
      feed: 'register_changes',
      occurred_from: hidden('occurred_from'),
      occurred_to: hidden('occurred_to'),
      max_credits: hidden('max_credits'),
    }
    const { text, sent } = await press(path, fields, `${path}?market=ukgc`)
    const charged = (await used()) - before
    expect(charged).toBeGreaterThan(0)
    expect(charged).toBeLessThanOrEqual(Number(fields.max_credits))
    expect(text).toContain('Bought')
    const days = [...text.matchAll(/class="day"><h2><time datetime="([^"]+)"/g)].map(
      ([, day]) => day as string,
    )
    expect(days.length).toBeGreaterThan(0)
    expect(days).toEqual(days.toSorted().toReversed())
    await member.post(path, sent)
    expect(await used()).toBe(before + charged)
  })

  test('a form for a feed that is sent without a market asks for a market', async () => {
    const fields = {
      feed: 'market_entries',
      max_credits: '20',
      nonce: await newNonce('/dashboard/domains/a.example'),
    }
    const { status, text } = await member.post(path, fields)
    expect([status, text.includes('Choose a market.')]).toEqual([400, true])
  })
})

test.each([
  ['GET', '/dashboard/search'],
  ['GET', '/dashboard/companies'],
  ['GET', '/dashboard/domains/luckyotter.example'],
  ['GET', '/dashboard/feeds'],
  ['POST', '/dashboard/domains/luckyotter.example'],
  ['POST', '/dashboard/feeds'],
])('%s %s is not found for the role billing', async (method, path) => {
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  const { status } = method === 'GET' ? await billing.get(path) : await billing.post(path, {})
  expect(status).toBe(404)
})
