import { test } from 'vitest'
import { requireAccount } from '../../src/features/account/index.ts'
import { recordEvent } from '../../src/features/audit/index.ts'
import { ensureUser } from '../../src/features/members/index.ts'
import { findStream, type Stream, syncRegister } from '../../src/registers/index.ts'
import { fileOfBytes } from '../../src/registers/source/file-of-bytes.ts'
import { startService, type TestService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

/** A list that loses most of its hosts from one day to the next. */
async function quarantine({ service }: TestService): Promise<void> {
  const stream = { ...(findStream('estonia.blocklist') as Stream), rowsMin: 1 }
  for (const [day, from] of [
    [1, 100],
    [2, 60],
  ] as const) {
    const hosts = Array.from({ length: from }, (_, index) => `n${from - index}.example`)
    const options = { takenAt: new Date(Date.UTC(2026, 0, day)), now: new Date(Date.UTC(2026, 0, day)) }
    await syncRegister(service.live, stream, [fileOfBytes('list.txt', hosts.join('\n'))], options)
  }
}

/** With a long reason, and refs of both kinds. */
async function recordChange({ service }: TestService, accountRef: string): Promise<void> {
  const { database } = service.live
  const { id: accountId } = await requireAccount(service.live, accountRef)
  const now = service.now()
  const email = 'ada.of.the.registers@a-long-bank-name.example'
  const { id: userId } = await ensureUser(database, { email, now })
  await recordEvent(
    database,
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

describePages(
  'staff pages',
  () => startService({ world: 'demo_with_registers', isReachable: true }),
  site => {
    test('every page of staff is ready to be worked with', async () => {
      const { accountRef } = await site.service.customer()
      await site.service.ask('/prospect-list-requests', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'Ada',
          email: 'ada@gateway.example',
          company: 'Gateway Payments Ltd',
          request: 'Operators in Denmark that take cards.',
        }),
      })
      const visitor = await site.visit({ as: { isStaff: true } })
      await quarantine(site.service)
      await recordChange(site.service, accountRef)
      const paths = [
        'platforms',
        'platforms/sandbag',
        'snapshots',
        'lists',
        'lists?state=ready',
        'accounts',
        `accounts/${accountRef}`,
        'audit',
      ]
      for (const path of paths) {
        await visitor.open(`/dashboard/staff/${path}`)
        for (const summary of await visitor.page.locator('main summary').all()) await summary.click()
        await inspect(visitor, `staff-${path.replace(/[/?].*/, '-one')}`)
      }
    })

    test.each([true, false])('a platform is reviewed by keyboard, scripts: %s', async hasScripts => {
      const visitor = await site.visit({ as: { isStaff: true }, hasScripts })
      const { page } = visitor
      page.on('dialog', dialog => dialog.accept())
      await visitor.open('/dashboard/staff/platforms')
      await press(page, page.getByRole('link', { name: 'Sandbag' }))
      await page.getByRole('heading', { name: 'Signals that publishing makes' }).waitFor()
      await press(page, page.getByRole('button', { name: 'Publish Sandbag' }))
      await page.getByText('No platform awaits review.').waitFor()
      await press(page, page.getByRole('link', { name: 'Sandbag' }))
      await press(page, page.getByRole('button', { name: 'Withdraw Sandbag' }))
      await page.getByRole('heading', { name: 'Platforms' }).waitFor()
    })

    test.each([true, false])('credits are granted by keyboard, scripts: %s', async hasScripts => {
      const { accountRef } = await site.service.customer({ credits: 5 })
      const visitor = await site.visit({ as: { isStaff: true }, hasScripts })
      const { page } = visitor
      await visitor.open(`/dashboard/staff/accounts/${accountRef}`)
      const form = page.getByRole('form', { name: 'Grant credits' })
      await type(page, form.getByLabel('Credits'), '1000')
      await type(page, form.getByLabel('Note'), 'Invoice 7')
      await press(page, form.getByRole('button', { name: 'Grant' }))
      await page.getByText('1,005').first().waitFor()
    })
  },
)
