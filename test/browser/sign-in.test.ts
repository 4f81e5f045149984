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
  /** Creates a person with an account. */
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

  site.journey('a person signs in by a link, and signs out', async ({ visit, press, type, look }) => {
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
    'a change more than 15 minutes after the sign-in needs a new one, which leads back',
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
        expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('nightly')
        await look(visitor, 'sign-in-back')
        await press(page.getByRole('button', { name: 'Create the key' }))
        await page.getByText('it is shown only once').waitFor()
      } finally {
        lateMs = 0
      }
    },
  )

  test('without a mail server the page takes the link, and the form is filled in again', async () => {
    const { accountRef, email } = await invited()
    const { settings } = site.service.service
    const { mail } = settings
    const visitor = await site.visit({ as: { accountRef, email } })
    const { page, open } = visitor
    try {
      settings.mail = null
      lateMs = 16 * 60_000
      await open('/dashboard/members')
      await page.getByLabel('E-mail address').fill('bo@pasted.test')
      await page.getByLabel('Role').last().selectOption('billing')
      await page.getByRole('button', { name: 'Add the member' }).click()
      await page.getByLabel('Sign-in link').fill('no link')
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('This link does not work').first().waitFor()
      await inspect(visitor, 'sign-in-pasted')
      await page.getByLabel('Sign-in link').fill(`http://localhost${await linkFor(email)}`)
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.waitForURL('**/dashboard/members')
      expect(await page.getByLabel('E-mail address').inputValue()).toBe('bo@pasted.test')
      expect(await page.getByLabel('Role').last().inputValue()).toBe('billing')
      await page.getByRole('button', { name: 'Add the member' }).click()
      await page.getByRole('cell', { name: 'bo@pasted.test' }).waitFor()
    } finally {
      lateMs = 0
      if (mail !== undefined) settings.mail = mail
    }
  })

  test('a wrong address and a used link are refused with advice', async () => {
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
