import { expect, test } from 'vitest'
import { createKey } from '../../src/features/account/index.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

describePages(
  'keys',
  () => startService({ isReachable: true }),
  site => {
    test.each([true, false])(
      'an owner creates and deletes a key by keyboard, scripts: %s',
      async hasScripts => {
        const { accountRef } = await site.service.customer()
        const visitor = await site.visit({ as: { accountRef }, hasScripts })
        const { page } = visitor
        page.on('dialog', dialog => dialog.accept())
        await visitor.open('/dashboard/keys')
        await type(
          page,
          page.getByLabel('Name', { exact: true }),
          'The nightly <screening> of the whole portfolio',
        )
        await press(page, page.getByRole('button', { name: 'Create the key' }))
        const key = (await page.locator('pre').first().textContent()) ?? ''
        expect(key).toMatch(/^client_\w{38}$/)
        if (hasScripts) await inspect(visitor, 'key-created')
        await press(page, page.getByRole('link', { name: 'I have copied it' }))
        const row = page.getByRole('row', { name: /nightly/ })
        await row.waitFor()
        if (hasScripts) await inspect(visitor, 'keys')
        await press(page, row.getByText('Change', { exact: true }))
        await press(page, row.getByRole('button', { name: 'Delete the key' }))
        await row.waitFor({ state: 'detached' })
      },
    )

    test('a new key copies, is not created again by a reload, and takes the place of another', async () => {
      const { accountRef } = await site.service.customer()
      await createKey(site.service.service.live, accountRef, { name: 'x'.repeat(100) })
      const visitor = await site.visit({ as: { accountRef } })
      const { page } = visitor
      await visitor.open('/dashboard/keys')
      const row = page.getByRole('row', { name: /xxx/ })
      await press(page, row.getByText('Change', { exact: true }))
      await inspect(visitor, 'keys-long-name')
      await press(page, row.getByRole('button', { name: 'Rotate' }))
      const key = await page.locator('pre').first().textContent()
      await inspect(visitor, 'key-rotated')
      await press(page, page.getByRole('button', { name: 'Copy: The key' }))
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
      await page.reload()
      expect(await page.textContent('main')).toContain('was created already')
      expect(await page.content()).not.toContain(key)
      await inspect(visitor, 'key-created-already')
      await visitor.open('/dashboard/keys')
      expect(await page.getByRole('row', { name: /xxx/ }).count()).toBe(2)
      expect(await page.textContent('main')).toContain('No call since.')
      await inspect(visitor, 'keys-rotated')
    })
  },
)
