import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createQueue } from '../../src/features/enrichments/fixture.ts'
import { createLink } from '../../src/features/sessions/index.ts'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

let lateMs = 0

async function start() {
  const now = () => new Date(Date.now() + lateMs)
  const service = await startService({ isReachable: true, mailFrom: 'baize@mail.test', now })
  await createQueue(service)
  return service
}

describePages('the sign-in', start, site => {
  /** Somebody with an account. */
  async function invited() {
    const { accountRef } = await site.service.customer()
    const email = `${randomUUID().slice(0, 8)}@bank.test`
    await signIn(site.service, { accountRef, email })
    return { accountRef, email }
  }

  async function linkFor(email: string) {
    const { live, now } = site.service.service
    return `/sign-in/${await createLink(live.database, email, now())}`
  }

  site.journey('by a link, and out again', async ({ visit, press, type, look }) => {
    const { email } = await invited()
    const visitor = await visit()
    const { page, open } = visitor
    await open('/dashboard/exports')
    await page.waitForURL('**/sign-in?next=*')
    await look(visitor, 'sign-in')
    await type(page.getByLabel('E-mail address'), email)
    await press(page.getByRole('button', { name: 'Send me a link' }))
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await look(visitor, 'sign-in-sent')
    await open(`${await linkFor(email)}?next=%2Fdashboard%2Fexports`)
    await look(visitor, 'sign-in-link')
    await press(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.waitForURL('**/dashboard/exports')
    await press(page.getByRole('button', { name: 'Sign out' }))
    await page.waitForURL('**/sign-in')
    await open('/dashboard')
    await page.waitForURL('**/sign-in?next=*')
  })

  site.journey(
    'a change later than 15 minutes after the sign-in asks for another one, and leads back',
    async ({ visit, press, type, look }) => {
      const { accountRef, email } = await invited()
      const visitor = await visit({ accountRef, email })
      const { page, open } = visitor
      try {
        lateMs = 16 * 60_000
        await open('/dashboard/keys')
        await type(page.getByLabel('Name', { exact: true }), 'nightly')
        await press(page.getByRole('button', { name: 'Create the key' }))
        await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
        await look(visitor, 'sign-in-again')
        await press(page.getByRole('button', { name: 'Send me a link' }))
        await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
        await open(`${await linkFor(email)}?next=%2Fdashboard%2Fkeys`)
        await press(page.getByRole('button', { name: 'Sign in', exact: true }))
        await page.waitForURL('**/dashboard/keys')
        await type(page.getByLabel('Name', { exact: true }), 'nightly')
        await press(page.getByRole('button', { name: 'Create the key' }))
        await page.getByText('it is shown only once').waitFor()
      } finally {
        lateMs = 0
      }
    },
  )

  test('a wrong address, and a link that was used, are refused with what to do', async () => {
    const { email } = await invited()
    const visitor = await site.visit()
    const { page, open } = visitor
    await open('/sign-in')
    await page.locator('form[action="/sign-in"]').evaluate((form: HTMLFormElement) => {
      form.noValidate = true
    })
    await page.getByLabel('E-mail address').fill('ada at the bank')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await inspect(visitor, 'sign-in-refused')
    const link = await linkFor(email)
    await open(link)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await open(link)
    expect(await page.textContent('h1')).toBe('This link does not work')
    await inspect(visitor, 'sign-in-dead-link')
  })
})
