import { expect, test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

const start = () => startService({ world: 'demo', isReachable: true })

describePages('every page', start, site => {
  async function owner(hasScripts = true) {
    const customer = await site.service.customer()
    await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
    return site.visit({ as: { accountRef: customer.accountRef }, hasScripts })
  }

  test('every page weighs less than 60 KB on the first visit, and comes from one host', async () => {
    for (const path of ['/sign-in', '/dashboard']) {
      const { page, open } = await owner()
      await open(path)
      const bytes = await page.evaluate(() =>
        performance
          .getEntries()
          .reduce((sum, entry) => sum + ((entry as PerformanceResourceTiming).transferSize ?? 0), 0),
      )
      expect(bytes).toBeGreaterThan(0)
      expect(bytes).toBeLessThan(60_000)
    }
  })

  test('every page begins with a link that skips to its content', async () => {
    const { page, open } = await owner(false)
    await open('/dashboard')
    await page.keyboard.press('Tab')
    const link = page.getByRole('link', { name: 'Skip to content' })
    expect(await link.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('every page shows times in the zone of the reader, or in UTC if scripts are off', async () => {
    const plain = await owner(false)
    await plain.open('/dashboard/security')
    const time = plain.page.locator('time').first()
    expect(await time.textContent()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/)
    const scripted = await owner()
    await scripted.open('/dashboard/security')
    const zoned = scripted.page.locator('time').first()
    const iso = (await zoned.getAttribute('datetime')) as string
    const hours = new Date(iso).toLocaleString('en-GB', { timeZone: 'Europe/Prague', timeStyle: 'short' })
    expect(await zoned.textContent()).toContain(hours)
    expect(await zoned.getAttribute('title')).toContain(iso)
  })

  test('a page has a button that copies a text and announces it, unless scripts are off', async () => {
    for (const hasScripts of [true, false]) {
      const { page, open } = await owner(hasScripts)
      await open('/dashboard/domains/luckyotter.example')
      await page.getByText('For developers').click()
      const button = page.getByRole('button', { name: 'Copy: curl command' })
      expect(await button.isVisible()).toBe(hasScripts)
      if (!hasScripts) continue
      await button.click()
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('curl')
    }
  })

  test('a page asks for confirmation before a dangerous form is sent', async () => {
    const { page, open } = await owner()
    await open('/dashboard/members')
    await page.getByLabel('E-mail address').fill('bo@frame.test')
    await page.getByRole('button', { name: 'Add the member' }).click()
    const row = page.getByRole('row').filter({ hasText: 'bo@frame.test' })
    await row.getByText('Change', { exact: true }).click()
    page.once('dialog', dialog => dialog.dismiss())
    await row.getByRole('button', { name: /Remove/ }).click()
    expect(await row.count()).toBe(1)
    page.once('dialog', dialog => dialog.accept())
    await row.getByRole('button', { name: /Remove/ }).click()
    await row.waitFor({ state: 'detached' })
  })
})
