import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { hasChromium, startBrowser, type VisitorOptions, visit } from './browser.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

describe.skipIf(!hasChromium)('looking things up and reading feeds', () => {
  let browser: Browser
  let service: TestService

  beforeAll(async () => {
    service = await startService({ world: 'demo_with_registers', isReachable: true })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function member(options: VisitorOptions = {}) {
    const { accountRef } = await service.customer()
    const person = await signIn(service, { accountRef, role: 'member' })
    return visit(browser, service, { person, ...options })
  }

  test.each([true, false])('a verdict is looked up by keyboard alone, scripts: %s', async hasScripts => {
    const visitor = await member({ hasScripts })
    const { page } = visitor
    await visitor.open('/dashboard')
    await press(page, page.getByRole('link', { name: 'Explorer' }))
    await page.waitForURL('**/dashboard/explorer')
    const form = page.getByRole('form', { name: 'A verdict' })
    await type(page, form.getByLabel('Domain, host or URL'), 'luckyotter.example')
    await press(page, form.getByRole('button', { name: /Look up/ }))
    await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor()
    expect(await page.getByText('credit was charged').count()).toBe(1)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('the explorer, its answers and the feeds are ready for a customer', async () => {
    const visitor = await member()
    const { page } = visitor
    await visitor.open('/dashboard/explorer')
    await inspect(visitor, 'explorer')
    const form = page.getByRole('form', { name: 'A verdict' })
    await form.getByLabel('Domain, host or URL').fill('luckyotter.example')
    for (const box of await form.getByRole('checkbox').all()) await box.check()
    await form.getByRole('button').click()
    await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor()
    await inspect(visitor, 'explorer-verdict')
    for (const summary of await page.locator('summary').all()) await summary.click()
    await inspect(visitor, 'explorer-verdict-open')
    await visitor.open('/dashboard/explorer')
    await page.getByRole('form', { name: 'A Company' }).getByLabel('Company', { exact: true }).fill('Otter')
    await page.getByRole('form', { name: 'A Company' }).getByRole('button').click()
    await inspect(visitor, 'explorer-company')
    await visitor.open('/dashboard/feeds')
    await inspect(visitor, 'feeds')
    await page.getByRole('button', { name: /Read/ }).click()
    await inspect(visitor, 'feeds-signals')
    await visitor.close()
  })
})
