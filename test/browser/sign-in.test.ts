import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createQueue } from '../../src/features/enrichments/fixture.ts'
import { createLink } from '../../src/features/sessions/index.ts'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

async function start() {
  const service = await startService({ isReachable: true, mailFrom: 'baize@mail.test' })
  await createQueue(service)
  return service
}

describePages('the sign-in', start, site => {
  /** Somebody with an account, and a link for them. */
  async function invited() {
    const { accountRef } = await site.service.customer()
    const email = `${randomUUID().slice(0, 8)}@bank.test`
    await signIn(site.service, { accountRef, email })
    const { live, now } = site.service.service
    return { email, link: `/sign-in/${await createLink(live.database, email, now())}` }
  }

  test.each([true, false])('by a link, out again, by keyboard alone, scripts: %s', async hasScripts => {
    const { email, link } = await invited()
    const { page, open } = await site.visit({ hasScripts })
    await open('/dashboard/exports')
    await page.waitForURL('**/sign-in?next=*')
    await type(page, page.getByLabel('E-mail address'), email)
    await press(page, page.getByRole('button', { name: 'Send me a link' }))
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await open(`${link}?next=%2Fdashboard%2Fexports`)
    await press(page, page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.waitForURL('**/dashboard/exports')
    await press(page, page.getByRole('button', { name: 'Sign out' }))
    await page.waitForURL('**/sign-in')
    await open('/dashboard')
    await page.waitForURL('**/sign-in?next=*')
  })

  test('somebody of two accounts switches between them', async () => {
    const [first, second] = [await site.service.customer(), await site.service.customer({ credits: 7 })]
    const email = 'both@bank.test'
    await signIn(site.service, { accountRef: first.accountRef, email })
    const visitor = await site.visit({ as: { accountRef: second.accountRef, email } })
    const { page, open } = visitor
    await open('/dashboard')
    await page.getByLabel('Account', { exact: true }).selectOption(second.accountRef)
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.waitForFunction(() => document.querySelector('.figures')?.textContent?.includes('7'))
    await inspect(visitor, 'account-switch')
  })

  test('its pages look as they should', async () => {
    const { email, link } = await invited()
    const visitor = await site.visit()
    const { page, open } = visitor
    await open('/sign-in')
    await inspect(visitor, 'sign-in')
    await page.locator('form[action="/sign-in"]').evaluate((form: HTMLFormElement) => {
      form.noValidate = true
    })
    await page.getByLabel('E-mail address').fill('ada at the bank')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await inspect(visitor, 'sign-in-refused')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await inspect(visitor, 'sign-in-sent')
    await open(link)
    await inspect(visitor, 'sign-in-link')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await open('/sign-in')
    await inspect(visitor, 'sign-in-again')
    await open(link)
    expect(await page.textContent('h1')).toBe('This link does not work')
    await inspect(visitor, 'sign-in-dead-link')
    await open('/dashboard/nowhere')
    await page.getByRole('link', { name: 'Explorer' }).waitFor()
    await inspect(visitor, 'dashboard-not-found')
  })
})
