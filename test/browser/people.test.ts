import { expect } from 'vitest'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import type { Visitor } from './browser.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'members, sessions and passkeys',
  () => startService({ isReachable: true }),
  site => {
    /** Adds a device that confirms a passkey at once. */
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

    // Journeys with passkeys need scripts, because browsers offer passkeys only to them.
    site.journey(
      'a person adds a passkey, signs out, signs in with it, and deletes it',
      async ({ visit, press, type, look }) => {
        const { accountRef } = await site.service.customer()
        const visitor = await visit({ accountRef })
        const { page } = visitor
        await addAuthenticator(visitor)
        await visitor.open('/dashboard/security')
        await type(page.getByLabel('Name'), 'My <laptop>')
        await press(page.getByRole('button', { name: 'Add a passkey' }))
        await page.getByRole('cell', { name: 'My <laptop>', exact: true }).waitFor()
        await look(visitor, 'security')
        await press(page.getByRole('button', { name: 'Sign out', exact: true }))
        await page.waitForURL('**/sign-in')
        await look(visitor, 'sign-in-with-passkey')
        await press(page.getByRole('button', { name: 'Sign in with a passkey' }))
        await page.waitForURL('**/dashboard')
        await visitor.open('/dashboard/security')
        await press(page.getByRole('button', { name: 'Delete', exact: true }))
        await page.getByText('No passkey yet.').waitFor()
      },
      ['mouse', 'keyboard'],
    )

    site.journey(
      'an owner adds, changes and removes a member',
      async ({ visit, press, type, choose, look }) => {
        const { accountRef } = await site.service.customer()
        const visitor = await visit({ accountRef })
        const { page } = visitor
        await visitor.open('/dashboard/members')
        const email = 'a-very-long-name.of-somebody@a-very-long-company-name.example'
        await type(page.getByLabel('E-mail address'), email)
        await press(page.getByRole('button', { name: 'Add the member' }))
        const row = page.getByRole('row', { name: /a-very-long-name/ })
        await press(row.getByText('Change', { exact: true }))
        await look(visitor, 'members-change')
        await choose(row.getByRole('combobox'), 'billing')
        await press(row.getByRole('button', { name: 'Change the role' }))
        await row.getByRole('cell', { name: 'Billing', exact: true }).waitFor()
        await look(visitor, 'members')
        await type(page.getByLabel('E-mail address'), email)
        await press(page.getByRole('button', { name: 'Add the member' }))
        await page.getByRole('alert').first().waitFor()
        await look(visitor, 'members-refused')
        await press(row.getByText('Change', { exact: true }))
        await press(row.getByRole('button', { name: /^Remove/ }))
        await row.waitFor({ state: 'detached' })
      },
    )

    site.journey('a person ends other sessions, one and then all', async ({ visit, press, look, way }) => {
      const { accountRef } = await site.service.customer()
      const email = `sessions-${way.replaceAll(/\W+/g, '-')}@bank.test`
      for (let count = 0; count < 3; count += 1) await signIn(site.service, { accountRef, email })
      const visitor = await visit({ accountRef, email })
      const { page } = visitor
      await visitor.open('/dashboard/security')
      const others = page.getByRole('button', { name: 'End', exact: true })
      await look(visitor, 'security-sessions')
      await press(others.first())
      await page.waitForFunction(() => document.querySelectorAll('form[action$="/end"] button').length === 3)
      expect(await others.count()).toBe(2)
      await press(page.getByRole('button', { name: 'Sign out everywhere else' }))
      await others.first().waitFor({ state: 'detached' })
    })
  },
)
