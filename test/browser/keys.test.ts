import { expect, test } from 'vitest'
import { createKey } from '../../src/features/account/index.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

describePages(
  'keys',
  () => startService({ isReachable: true }),
  site => {
    site.journey('an owner creates, rotates and deletes a key', async ({ visit, press, type, look }) => {
      const { accountRef } = await site.service.customer()
      const visitor = await visit({ accountRef })
      const { page } = visitor
      await visitor.open('/dashboard/keys')
      await type(page.getByLabel('Name', { exact: true }), 'The nightly <screening> of the whole portfolio')
      await type(page.getByLabel('Expires on (optional)'), '2099-12-31')
      await press(page.getByRole('button', { name: 'Create the key' }))
      await page.getByRole('heading', { name: /The key “The nightly/ }).waitFor()
      expect(await page.locator('pre').first().textContent()).toMatch(/^client_\w{38}$/)
      await look(visitor, 'key-created')
      await press(page.getByRole('link', { name: 'I have copied it' }))
      const rows = page.getByRole('row', { name: /nightly.*expires/ })
      await press(rows.getByText('Change', { exact: true }))
      await press(rows.getByRole('button', { name: 'Rotate' }))
      await page.getByText('it is shown only once').waitFor()
      await press(page.getByRole('link', { name: 'I have copied it' }))
      const replaced = rows.filter({ hasText: '! replaced' })
      await replaced.waitFor()
      await look(visitor, 'keys')
      await press(replaced.getByText('Change', { exact: true }))
      await press(replaced.getByRole('button', { name: 'Delete the key' }))
      await replaced.waitFor({ state: 'detached' })
      expect(await page.getByRole('row', { name: /nightly/ }).count()).toBe(1)
    })

    test('a new key can be copied, and reloading the page creates no second key', async () => {
      const { accountRef } = await site.service.customer()
      await createKey(site.service.service.live, accountRef, { name: 'x'.repeat(100) })
      const visitor = await site.visit({ as: { accountRef } })
      const { page } = visitor
      await visitor.open('/dashboard/keys')
      const row = page.getByRole('row', { name: /xxx/ })
      await row.getByText('Change', { exact: true }).click()
      await inspect(visitor, 'keys-long-name')
      await row.getByRole('button', { name: 'Rotate' }).click()
      const key = await page.locator('pre').first().textContent()
      await page.getByRole('button', { name: 'Copy: The key' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
      await page.reload()
      expect(await page.textContent('main')).toContain('was created already')
      expect(await page.content()).not.toContain(key)
      await inspect(visitor, 'key-created-already')
      await visitor.open('/dashboard/keys')
      expect(await page.getByRole('row', { name: /xxx/ }).count()).toBe(2)
      expect(await page.textContent('main')).toContain('No call since.')
    })
  },
)
