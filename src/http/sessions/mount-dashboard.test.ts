import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 500 })
})
afterAll(() => service.close())

describe('the path /dashboard', () => {
  test('/dashboard answers browsers with a page, and other clients in JSON', async () => {
    const owner = await signIn(service, customer)
    const page = await owner.get('/dashboard')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('<h1>Overview</h1>')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const { body } = await owner.read('/dashboard')
    expect(body).toMatchObject({
      success: true,
      data: { account: { available_credits: 500 }, has_requests: false },
    })
  })

  test('without a session browsers are sent to the sign-in, other clients get 401 signed_out', async () => {
    const page = await service.ask('/dashboard', { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fdashboard'])
    const { status, body } = await service.ask('/dashboard')
    expect([status, body.errors.code]).toEqual([401, 'signed_out'])
  })

  test('an API key opens no page of the dashboard', async () => {
    const { status } = await customer.ask('/dashboard')
    expect(status).toBe(401)
  })

  test('a form of another site is refused with 403 forged_request, and changes nothing', async () => {
    const owner = await signIn(service, customer)
    const fields = { account_ref: customer.accountRef }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const { status, text } = await owner.post('/dashboard/account', fields, headers)
      expect([status, text.includes('forged_request')]).toEqual([403, true])
    }
    const { status, headers } = await owner.post('/dashboard/account', fields)
    expect([status, headers.get('location')]).toEqual([303, '/dashboard'])
  })

  test('a user of several accounts can switch between them, and not to another account', async () => {
    const owner = await signIn(service, customer)
    expect((await owner.get('/dashboard')).text).not.toContain('<select name="account_ref"')
    const second = await service.customer({ credits: 7 })
    const both = await signIn(service, { ...second, email: owner.email })
    const page = await both.get('/dashboard')
    expect(page.text).toContain(`<option value="${customer.accountRef}" selected>`)
    expect(page.text).toContain(`<option value="${second.accountRef}">`)
    await both.post('/dashboard/account', { account_ref: second.accountRef })
    const { body } = await both.read('/dashboard')
    expect(body.data.account.available_credits).toBe(7)
    const foreign = await service.customer()
    const { status } = await both.post('/dashboard/account', { account_ref: foreign.accountRef })
    expect(status).toBe(404)
  })

  test('a hidden page and a missing page look the same, in the frame of the dashboard', async () => {
    const member = await signIn(service, { ...customer, role: 'member' })
    const [hidden, missing] = [await member.get('/dashboard/keys'), await member.get('/dashboard/nothing')]
    const textOf = (page: { text: string }) => page.text.replace(/Request\s+id <code>[^<]+/, '')
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(textOf(hidden)).toBe(textOf(missing))
    expect(hidden.text).toContain('href="/dashboard/domains"')
    const without = await service.ask('/dashboard/nothing', { headers: { accept: 'text/html' } })
    expect([without.status, without.text.includes('href="/dashboard/domains"')]).toEqual([404, false])
  })

  test('an account answers like a missing one for a user without a role in the account', async () => {
    const stranger = await signIn(service, {})
    const { status, body } = await stranger.read('/dashboard')
    expect([status, body.errors.code]).toEqual([404, 'route_not_found'])
  })
})
