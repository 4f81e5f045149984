import { expect, test } from 'vitest'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press } from './keyboard.ts'

const start = () => startService({ world: 'demo', isReachable: true })

describePages('the overview', start, site => {
  test('an account without requests is shown how to send one', async () => {
    const { accountRef } = await site.service.customer()
    const visitor = await site.visit({ as: { accountRef, isStaff: true, email: 'ada@overview.test' } })
    await visitor.open('/dashboard')
    expect(await visitor.page.textContent('main')).toContain('curl')
    await inspect(visitor, 'overview-empty')
  })

  test('the last requests are shown', async () => {
    const customer = await site.service.customer()
    for (const domain of ['luckyotter.example', 'x', 'ottermoor.example'])
      await customer.ask(`/v1/domains/resolve?domain=${domain}`)
    const visitor = await site.visit({ as: { accountRef: customer.accountRef, email: 'bo@overview.test' } })
    await visitor.open('/dashboard')
    await inspect(visitor, 'overview')
  })

  test('names are text, however long, and whatever markup they contain', async () => {
    const visitor = await site.visit({
      as: {
        accountRef: (await site.service.customer()).accountRef,
        email: `${'a-very-long-name'.repeat(3)}@an-even-longer-company-name-of-a-bank.test`,
      },
    })
    await visitor.open('/dashboard')
    await inspect(visitor, 'overview-long-names')
  })

  test('somebody of two accounts switches between them by keyboard alone', async () => {
    const [first, second] = [await site.service.customer(), await site.service.customer({ credits: 7 })]
    const email = 'two@overview.test'
    await signIn(site.service, { accountRef: second.accountRef, email })
    const visitor = await site.visit({ as: { accountRef: first.accountRef, email } })
    const { page, open } = visitor
    await open('/dashboard')
    await inspect(visitor, 'overview-two-accounts')
    const shown = await page.getByLabel('Account').inputValue()
    await page.getByLabel('Account').focus()
    await page.keyboard.press(shown === first.accountRef ? 'ArrowDown' : 'ArrowUp')
    await press(page, page.getByRole('button', { name: 'Switch' }))
    await page.waitForURL('**/dashboard')
    expect(await page.getByLabel('Account').inputValue()).not.toBe(shown)
  })

  test('on a narrow screen the menu opens by keyboard, without scripts too', async () => {
    for (const hasScripts of [true, false]) {
      const { accountRef } = await site.service.customer()
      const { page, open } = await site.visit({ as: { accountRef }, hasScripts })
      await page.setViewportSize({ width: 360, height: 740 })
      await open('/dashboard')
      const link = page.getByRole('link', { name: 'Explorer' })
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).focus()
      await page.keyboard.press('Enter')
      await link.waitFor({ state: 'visible' })
      await page.screenshot({ path: 'test-results/screenshots/menu-360.png' })
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
    }
  })
})
