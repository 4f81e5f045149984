import { test } from 'vitest'
import { startService } from '../harness/service.ts'
import type { Visitor } from './browser.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

describePages(
  'passkeys and members',
  () => startService({ isReachable: true }),
  site => {
    /** A device that confirms at once. */
    async function addAuthenticator({ context, page }: Visitor): Promise<void> {
      const client = await context.newCDPSession(page)
      await client.send('WebAuthn.enable')
      await client.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    }

    test('somebody adds a passkey, signs out, signs in with it, and deletes it', async () => {
      const { accountRef } = await site.service.customer()
      const visitor = await site.visit({ as: { accountRef } })
      const { page } = visitor
      await addAuthenticator(visitor)
      await visitor.open('/dashboard/security')
      await page.getByLabel('Name').fill('My <laptop>')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('cell', { name: 'My <laptop>', exact: true }).waitFor()
      await inspect(visitor, 'security')
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.waitForURL('**/sign-in')
      await inspect(visitor, 'sign-in-with-passkey')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL('**/dashboard')
      await visitor.open('/dashboard/security')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No passkey yet.').waitFor()
    })

    test.each([true, false])('an owner adds, changes and removes a member, scripts: %s', async hasScripts => {
      const { accountRef } = await site.service.customer()
      const visitor = await site.visit({ as: { accountRef }, hasScripts })
      const { page } = visitor
      page.on('dialog', dialog => dialog.accept())
      await visitor.open('/dashboard/members')
      await page
        .getByLabel('E-mail address')
        .fill('a-very-long-name.of-somebody@a-very-long-company-name.example')
      await page.getByRole('button', { name: 'Add the member' }).click()
      const row = page.getByRole('row', { name: /a-very-long-name/ })
      await row.getByText('Change', { exact: true }).click()
      await row.getByRole('combobox').selectOption('billing')
      await row.getByRole('button', { name: 'Change the role' }).click()
      await row.getByRole('cell', { name: 'Billing', exact: true }).waitFor()
      if (hasScripts) await inspect(visitor, 'members')
      await row.getByText('Change', { exact: true }).click()
      await row.getByRole('button', { name: /^Remove/ }).click()
      await row.waitFor({ state: 'detached' })
    })
  },
)
