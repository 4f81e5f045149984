import { requireAccount } from '../../src/features/account/index.ts'
import { recordAuditEvent } from '../../src/features/audit/index.ts'
import { ensureUser } from '../../src/features/members/index.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'staff pages',
  () => startService({ world: 'demo_with_registers', isReachable: true }),
  site => {
    /** Records an event with a long reason and refs of both kinds. */
    async function recordChange(accountRef: string, email: string): Promise<void> {
      const { live, now: clock } = site.service.service
      const now = clock()
      const { id: accountId } = await requireAccount(live, accountRef)
      const { id: userId } = await ensureUser(live.database, { email, now })
      await recordAuditEvent(
        live.database,
        { userId, email },
        {
          action: 'account.plan_changed',
          subject: accountRef,
          accountId,
          details: {
            before: 'starter',
            after: 'growth',
            reason: 'The customer signed the contract of the year.',
          },
          now,
        },
      )
    }

    site.journey(
      'staff publish a platform with its Signals, and withdraw it',
      async ({ visit, press, look }) => {
        const visitor = await visit({ isStaff: true })
        const { page } = visitor
        await visitor.open('/dashboard/staff/platforms')
        await look(visitor, 'staff-platforms')
        await press(page.getByRole('link', { name: 'Sandbag' }))
        await page.getByRole('heading', { name: 'Signals that publishing makes' }).waitFor()
        await look(visitor, 'staff-platform')
        await press(page.getByRole('button', { name: 'Publish Sandbag' }))
        await page.getByText('No platform awaits review.').waitFor()
        await press(page.getByRole('link', { name: 'Sandbag' }))
        await page.getByText('✓ published').waitFor()
        await look(visitor, 'staff-platform-published')
        await press(page.getByRole('button', { name: 'Withdraw Sandbag' }))
        await page.getByRole('heading', { name: 'Awaiting review' }).waitFor()
      },
    )

    site.journey(
      'staff give an account credits and another plan, and the audit shows both',
      async ({ visit, press, type, choose, look, way }) => {
        const { accountRef } = await site.service.customer({ credits: 5 })
        const email = `ada.of.the.registers.${way.replaceAll(/\W+/g, '-')}@a-long-bank-name.example`
        await recordChange(accountRef, email)
        const visitor = await visit({ isStaff: true, email })
        const { page } = visitor
        await visitor.open('/dashboard/staff/accounts')
        await type(page.getByLabel('Name or ref'), accountRef)
        await press(page.getByRole('button', { name: 'Search' }))
        await page.waitForURL('**/accounts?q=*')
        await look(visitor, 'staff-accounts')
        await press(page.getByRole('link', { name: 'A customer' }))
        const grant = page.getByRole('form', { name: 'Grant credits' })
        await type(grant.getByLabel('Credits'), '1000')
        await type(grant.getByLabel('Note'), 'Invoice 7')
        await press(grant.getByRole('button', { name: 'Grant' }))
        await page.getByText('1,005').first().waitFor()
        const plan = page.getByRole('form', { name: 'Change the plan' })
        await type(plan.getByLabel('Reason'), 'The same again')
        await press(plan.getByRole('button'))
        await page.getByRole('alert').first().waitFor()
        await look(visitor, 'staff-account-refused')
        await choose(plan.getByLabel('Plan'), 'starter')
        await press(plan.getByRole('button'))
        await page.getByRole('heading', { name: 'Plan changes' }).waitFor()
        await look(visitor, 'staff-account')
        await press(page.getByRole('link', { name: 'Audit' }))
        await type(page.getByLabel('Person (e-mail)'), email)
        await press(page.getByRole('button', { name: 'Filter' }))
        await page.waitForURL('**/audit?email=*')
        for (const action of ['credits.granted', 'plan.changed'])
          await page.getByRole('cell', { name: new RegExp(`^${action}`) }).waitFor()
        await look(visitor, 'staff-audit')
      },
    )
  },
)
