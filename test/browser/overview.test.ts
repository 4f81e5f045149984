import { expect, test } from 'vitest'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

const start = () => startService({ world: 'demo', isReachable: true })

describePages('the overview', start, site => {
  test('the overview of an account without requests shows how to send one', async () => {
    const { accountRef } = await site.service.customer()
    const visitor = await site.visit({ as: { accountRef, isStaff: true, email: 'ada@overview.test' } })
    await visitor.open('/dashboard')
    expect(await visitor.page.textContent('main')).toContain('curl')
    await inspect(visitor, 'overview-empty')
  })

  test('the overview of a customer shows what needs people', async () => {
    const customer = await site.service.customer()
    for (const domain of ['luckyotter.example', 'x', 'ottermoor.example'])
      await customer.ask(`/v1/domains/resolve?domain=${domain}`)
    const visitor = await site.visit({ as: { accountRef: customer.accountRef, email: 'bo@overview.test' } })
    await visitor.open('/dashboard')
    await inspect(visitor, 'overview')
  })

  test('a person without an account sees an overview that says so', async () => {
    const visitor = await site.visit({ as: { email: 'nobody@overview.test' } })
    await visitor.open('/dashboard')
    await visitor.page.getByRole('heading', { name: 'No account' }).waitFor()
    await inspect(visitor, 'no-account')
  })

  site.journey(
    'a person with two accounts switches between them',
    async ({ visit, press, choose, look, way }) => {
      const [first, second] = [await site.service.customer(), await site.service.customer({ credits: 7 })]
      const email = `${'a-very-long-name'.repeat(3)}@${way.replaceAll(/\W+/g, '-')}-of-a-bank.test`
      await signIn(site.service, { accountRef: first.accountRef, email })
      const visitor = await visit({ accountRef: second.accountRef, email })
      const { page, open } = visitor
      await open('/dashboard')
      const account = page.getByLabel('Account', { exact: true })
      for (const { accountRef, available } of [
        { ...first, available: '1,000' },
        { ...second, available: '7' },
      ]) {
        await choose(account, accountRef)
        await press(page.getByRole('button', { name: 'Switch' }))
        await page
          .locator('.figures dd', { hasText: new RegExp(`^${available}$`) })
          .first()
          .waitFor()
        expect(await account.inputValue()).toBe(accountRef)
      }
      await look(visitor, 'overview-two-accounts')
    },
  )

  site.journey(
    'the menu of a narrow screen opens and leads to other pages',
    async ({ visit, press, way }) => {
      const { accountRef } = await site.service.customer()
      const { page, open } = await visit({ accountRef })
      await page.setViewportSize({ width: 360, height: 740 })
      await open('/dashboard')
      const link = page.getByRole('link', { name: 'Companies', exact: true })
      expect(await link.isVisible()).toBe(false)
      await press(page.getByRole('button', { name: 'Menu' }))
      await link.waitFor({ state: 'visible' })
      if (way === 'mouse') await page.screenshot({ path: 'test-results/screenshots/menu-360.png' })
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
      await press(page.getByRole('button', { name: 'Menu' }))
      await press(link)
      await page.waitForURL('**/dashboard/companies')
    },
  )
})
