import { expect, test } from 'vitest'
import { createQueue } from '../../src/features/enrichments/fixture.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

async function start() {
  const service = await startService({ world: 'demo_with_registers', isReachable: true })
  await createQueue(service)
  return service
}

describePages('look-ups and feeds', start, site => {
  const member = async (credits = 1_000) => {
    const { accountRef } = await site.service.customer({ credits })
    return { accountRef, role: 'member' } as const
  }

  site.journey(
    'a customer looks up a verdict with its evidence',
    async ({ visit, press, type, tick, look }) => {
      const visitor = await visit(await member())
      const { page, open } = visitor
      await open('/dashboard')
      await press(page.getByRole('link', { name: 'Explorer' }))
      await page.waitForURL('**/dashboard/explorer')
      await look(visitor, 'explorer')
      const form = page.getByRole('form', { name: 'A verdict' })
      await type(form.getByLabel('Domain, host or URL'), 'luckyotter.example')
      for (const box of await form.getByRole('checkbox').all()) await tick(box)
      await press(form.getByRole('button', { name: /Look up/ }))
      await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor()
      expect(await page.getByText('6 credits were charged').count()).toBe(1)
      for (const summary of await page.locator('.answer summary').all())
        if (!/JSON/.test((await summary.textContent()) ?? '')) await press(summary)
      await look(visitor, 'explorer-verdict-open')
    },
  )

  site.journey(
    'a customer looks up a Company after a search without a match',
    async ({ visit, press, type, choose, look }) => {
      const visitor = await visit(await member())
      const { page, open } = visitor
      await open('/dashboard/explorer')
      const form = page.getByRole('form', { name: 'A Company' })
      await choose(form.getByLabel('Found by'), 'legal_entity')
      await type(form.getByLabel('Company', { exact: true }), 'Nobody at all')
      await press(form.getByRole('button'))
      await page.getByText('No Company has exactly the legal name "Nobody at all".').waitFor()
      await look(visitor, 'explorer-refused')
      await type(form.getByLabel('Company', { exact: true }), 'Ottermoor Gaming Limited')
      await press(form.getByRole('button'))
      await page.getByRole('heading', { name: 'Ottermoor Gaming' }).waitFor()
      await look(visitor, 'explorer-company')
    },
  )

  site.journey('a customer looks up a license', async ({ visit, press, type, look }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/explorer')
    const form = page.getByRole('form', { name: 'A license' })
    await type(form.getByLabel('License number'), '099101-R-339101-004')
    await press(form.getByRole('button'))
    await page.getByRole('heading', { name: '099101-R-339101-004' }).waitFor()
    await look(visitor, 'explorer-license')
  })

  site.journey('a customer requests a check of a site', async ({ visit, press, type, look, hasScripts }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/explorer')
    const check = page.getByRole('form', { name: 'Check a site now' })
    await type(check.getByLabel('Domain, host or URL'), 'luckyotter.example')
    await press(check.getByRole('button'))
    await page.getByText('The site is being checked').waitFor()
    if (hasScripts) {
      const part = await page.waitForResponse(each => each.request().headers()['hx-request'] === 'true')
      expect(await part.text()).toMatch(/^<div id="check"/)
    }
    await look(visitor, 'explorer-check')
    await press(page.getByRole('link', { name: 'Look again' }))
    await page.getByRole('heading', { name: 'Check of a site' }).waitFor()
  })

  site.journey('a customer reads the changes of a market', async ({ visit, press, type, choose, look }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/feeds')
    await look(visitor, 'feeds')
    await press(page.getByRole('link', { name: /New sites on a platform/ }))
    await page.getByLabel('Platform').waitFor()
    await press(page.getByRole('link', { name: /Register changes/ }))
    await choose(page.getByLabel('Market'), 'ukgc')
    await type(page.getByLabel('From', { exact: true }), '2026-10-01')
    await press(page.getByRole('button', { name: /Read/ }))
    await page.getByText('5 Signals match the filters.').waitFor()
    await look(visitor, 'feeds-signals')
    await press(page.getByRole('link', { name: 'Another feed' }))
    await page.getByRole('heading', { name: 'Feeds' }).waitFor()
  })

  test('an account without credits is refused before any data are looked up', async () => {
    const visitor = await site.visit({ as: await member(0) })
    const { page, open } = visitor
    await open('/dashboard')
    await inspect(visitor, 'overview-used-up')
    await open('/dashboard/explorer')
    const form = page.getByRole('form', { name: 'A verdict' })
    await form.getByLabel('Domain, host or URL').fill('luckyotter.example')
    await form.getByRole('button').click()
    await page.getByRole('alert').first().waitFor()
  })
})
