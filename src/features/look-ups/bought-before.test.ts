import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let member: Person
let path: string

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  const customer = await service.customer({ credits: 500 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  const other = await service.customer()
  const { body } = await other.ask('/v1/companies/resolve?name=Lucky%20Otter')
  path = `/dashboard/companies/${body.data.companies[0].company_ref}`
})
afterAll(() => service.close())

/** Presses the button of a page. */
async function press(page: string, fields: Record<string, string>): Promise<void> {
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec((await member.get(page)).text) ?? []
  const { status } = await member.post(page, { nonce, ...fields })
  expect([page, status]).toEqual([page, 303])
}

test('a Company shows only verdicts, platforms and days of expiry that the account bought', async () => {
  await press('/dashboard/domains/luckyotter.example', { max_credits: '1' })
  await press(path, { max_credits: '3' })
  const before = (await member.read(path)).body.data
  expect(before.sites.map((each: { domain: string }) => each.domain)).toEqual(['luckyotter.example'])
  expect([before.license_days, before.signals]).toEqual([[], []])
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  expect((await stranger.read(path)).body.data).toMatchObject({ sites: [], license_days: [], links: [] })
  const { text } = await member.get(path)
  expect(text).toMatch(
    /otterroyale\.example<\/a><\/td>\s*<td data-name="Verdict"><span class="none">not bought/,
  )
  expect(text).toMatch(/<title>Copperbeam from 14 Apr 2025<\/title>/)
  expect(text).toContain('src="/images/payment_method/pigeon-pay"')
  expect(text).toContain('✓ listed')
  const [license] = before.bought.response.licenses
  expect(text).toContain(`href="/dashboard/licenses/${license.license_ref}">in profile</a>`)
  await press(`/dashboard/licenses/${license.license_ref}`, { max_credits: '3' })
  const [known] = (await member.read(path)).body.data.license_days
  expect(known).toMatchObject({ license_ref: license.license_ref, expires_at: expect.any(String) })
})

test('the timeline of a site draws its verdict, and when registers and blocklists named it', async () => {
  await press('/dashboard/domains/redkite-casino.example', { max_credits: '1' })
  const { text } = await member.get('/dashboard/domains/redkite-casino.example')
  expect(text).toMatch(/<svg[^>]+role="img"\s+aria-label="blocklisted from \d+ \w+ \d{4}/)
  expect(text).toContain('Italy, blocklisted')
  const { body } = await member.read('/dashboard/domains/redkite-casino.example')
  expect(body.data.steps.at(-1)).toMatchObject({ after: 'blocklisted' })
  expect(body.data.timeline.map((each: { basis: string }) => each.basis)).toContain('blocklist')
})

test('a market counts its newest changes by day, and its public page has no more than that', async () => {
  const { text } = await member.get('/dashboard/markets/ukgc')
  expect(text).toMatch(/feeds\?market=ukgc&amp;until=2026-\d\d-\d\d"/)
  const { body } = await member.read('/dashboard/markets/ukgc')
  expect(body.data.counts.at(-1)).toMatchObject({ licenses: expect.any(Number), blocked: 0 })
  expect(body.data.counts.at(-1).licenses).toBeGreaterThan(0)
  const shown = await service.ask('/coverage/ukgc', { headers: { accept: 'text/html' } })
  expect(shown.text).toContain('<h2 id="counts">Over time</h2>')
  for (const missing of ['/coverage/nowhere', '/dashboard/markets/nowhere'])
    expect([missing, (await member.get(missing)).status]).toEqual([missing, 404])
})
