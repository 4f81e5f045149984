import { expect, test } from 'vitest'
import { createQueue } from '../../src/features/enrichments/fixture.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

async function start() {
  const service = await startService({ world: 'demo_with_registers', isReachable: true })
  await createQueue(service)
  return service
}

describePages('looking things up and reading feeds', start, site => {
  async function member(hasScripts = true) {
    const { accountRef } = await site.service.customer()
    return site.visit({ as: { accountRef, role: 'member' }, hasScripts })
  }

  test.each([true, false])('a verdict is looked up by keyboard alone, scripts: %s', async hasScripts => {
    const { page, open } = await member(hasScripts)
    await open('/dashboard')
    await press(page, page.getByRole('link', { name: 'Explorer' }))
    await page.waitForURL('**/dashboard/explorer')
    const form = page.getByRole('form', { name: 'A verdict' })
    await type(page, form.getByLabel('Domain, host or URL'), 'luckyotter.example')
    await press(page, form.getByRole('button', { name: /Look up/ }))
    await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor()
    expect(await page.getByText('credit was charged').count()).toBe(1)
  })

  test.each([true, false])('a feed is read by keyboard alone, scripts: %s', async hasScripts => {
    const { page, open } = await member(hasScripts)
    await open('/dashboard/feeds')
    await type(page, page.getByLabel('At most (credits)'), '5')
    await press(page, page.getByRole('button', { name: /Read/ }))
    await page.getByRole('heading', { name: 'Signals', exact: true }).waitFor()
  })

  test('the explorer and its answers look as they should', async () => {
    const visitor = await member()
    const { page, open } = visitor
    await open('/dashboard/explorer')
    await inspect(visitor, 'explorer')
    const form = page.getByRole('form', { name: 'A verdict' })
    await form.getByLabel('Domain, host or URL').fill('luckyotter.example')
    for (const box of await form.getByRole('checkbox').all()) await box.check()
    await form.getByRole('button').click()
    await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor()
    await inspect(visitor, 'explorer-verdict')
    for (const summary of await page.locator('summary').all()) await summary.click()
    await inspect(visitor, 'explorer-verdict-open')
    await open('/dashboard/explorer')
    const company = page.getByRole('form', { name: 'A Company' })
    await company.getByLabel('Company', { exact: true }).fill('Nobody at all')
    await company.getByRole('button').click()
    await inspect(visitor, 'explorer-refused')
    await company.getByLabel('Company', { exact: true }).fill('Ottermoor Gaming')
    await company.getByRole('button').click()
    await page.getByRole('heading', { name: 'Ottermoor Gaming' }).waitFor()
    await inspect(visitor, 'explorer-company')
    await open('/dashboard/explorer')
    const license = page.getByRole('form', { name: 'A license' })
    await license.getByLabel('License number').fill('099101-R-339101-004')
    await license.getByRole('button').click()
    await inspect(visitor, 'explorer-license')
  })

  test('the page of a running check asks again by itself, and by a link', async () => {
    const visitor = await member()
    const { page, open } = visitor
    await open('/dashboard/explorer')
    const check = page.getByRole('form', { name: 'Check a site now' })
    await check.getByLabel('Domain, host or URL').fill('luckyotter.example')
    await check.getByRole('button').click()
    await page.getByText('The site is being checked').waitFor()
    const part = await page.waitForResponse(response => response.request().headers()['hx-request'] === 'true')
    expect(await part.text()).toMatch(/^<div id="check"/)
    await inspect(visitor, 'explorer-check')
    await press(page, page.getByRole('link', { name: 'Look again' }))
    await page.getByRole('heading', { name: 'Check of a site' }).waitFor()
  })

  test('the feeds look as they should', async () => {
    const visitor = await member()
    await visitor.open('/dashboard/feeds')
    await inspect(visitor, 'feeds')
    await visitor.page.getByLabel('Market').selectOption('ukgc')
    await visitor.page.getByRole('button', { name: /Read/ }).click()
    await inspect(visitor, 'feeds-signals')
  })
})
