import { test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

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
      const paths = ['platforms', 'snapshots', 'lists', 'accounts', `accounts/${accountRef}`, 'audit']
      for (const path of paths) {
        await visitor.open(`/dashboard/staff/${path}`)
        for (const summary of await visitor.page.locator('main summary').all()) await summary.click()
        await inspect(visitor, `staff-${path.replace(/\/.*/, '-one')}`)
      }
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
