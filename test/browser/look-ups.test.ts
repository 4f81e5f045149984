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

describePages('sites, Companies, licenses, markets and feeds', start, site => {
  const member = async (credits = 1_000, plan: 'growth' | 'free' = 'growth') => {
    const { accountRef } = await site.service.customer({ credits, plan })
    return { accountRef, role: 'member' } as const
  }

  site.journey(
    'a customer finds a site by the box of every page, and buys its verdict',
    async ({ visit, press, type, look }) => {
      const visitor = await visit(await member())
      const { page, open } = visitor
      await open('/dashboard')
      const box = page.getByRole('searchbox')
      await type(box, 'https://luckyotter.example/slots')
      await page.keyboard.press('Enter')
      await press(page.getByRole('link', { name: 'luckyotter.example' }))
      await page.getByRole('heading', { name: 'luckyotter.example' }).waitFor()
      await look(visitor, 'site-offered')
      await press(page.getByRole('button', { name: 'With its launch profile for at most 6 credits' }))
      await page.getByText(/This site is licensed in/).waitFor()
      expect(await page.getByText(/Bought .* for 6 credits/).count()).toBe(1)
      await look(visitor, 'site')
      await press(page.getByRole('link', { name: 'Ottermoor Gaming' }).first())
      await page.getByRole('button', { name: 'Show the profile for 3 credits' }).waitFor()
    },
  )

  site.journey(
    'a salesperson finds operators by platform, looks at five, buys people of two and asks for a list',
    async ({ visit, press, type, look }) => {
      const visitor = await visit(await member())
      const { page, open } = visitor
      await open('/dashboard/companies')
      await look(visitor, 'companies-offered')
      await type(page.getByLabel('On the platform'), 'Understudy')
      await press(page.getByRole('form', { name: 'Filters' }).getByRole('button', { name: 'Search' }))
      await press(page.getByRole('button', { name: /^Show up to 20/ }))
      await page.getByRole('link', { name: 'Ottermoor Gaming' }).waitFor()
      await open('/dashboard/companies')
      await press(page.getByRole('link', { name: /^Great Britain \d/ }))
      await press(page.getByRole('link', { name: /^operator \d/ }))
      await press(page.getByRole('button', { name: /^Show these \d+ for/ }))
      await page.getByText(/Bought/).waitFor()
      const search = page.url()
      await press(page.getByRole('button', { name: 'Save this search' }))
      await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor()
      await look(visitor, 'companies')
      const links = page.locator('tbody td:first-child a')
      const addresses = await links.evaluateAll(of => of.map(each => each.getAttribute('href') ?? ''))
      let paid = 0
      for (const address of addresses.slice(0, 5)) {
        await open(address)
        await press(page.getByRole('button', { name: /^Show the profile/ }))
        await page
          .getByText(/^Bought/)
          .first()
          .waitFor()
        const buy = page.getByRole('button', { name: /^Buy \d/ }).first()
        if (paid === 2 || !(await buy.isVisible())) continue
        await press(buy)
        await page.getByRole('table', { name: 'People' }).waitFor()
        if (paid === 0) await look(visitor, 'company')
        paid += 1
      }
      expect([addresses.length >= 5, paid]).toEqual([true, 2])
      await press(page.getByRole('button', { name: 'Follow' }))
      await page.getByRole('button', { name: 'Follow no longer' }).waitFor()
      await open(search)
      await press(page.getByRole('link', { name: 'Make a prospect list of these' }))
      await press(page.getByRole('button', { name: 'Request the list' }))
      await page.getByText('requested', { exact: true }).first().waitFor()
      await open('/dashboard')
      await page.getByText('Saved searches and followed Companies').waitFor()
      await look(visitor, 'overview-saved')
    },
  )

  site.journey(
    'a customer finds a license by its number, and opens its market',
    async ({ visit, press, type, look }) => {
      const visitor = await visit(await member())
      const { page, open } = visitor
      await open('/dashboard/licenses')
      await look(visitor, 'licenses')
      await type(page.getByRole('searchbox'), '099101-R-339101-004')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/dashboard/search?q=*')
      await look(visitor, 'search-license')
      await press(page.getByRole('button', { name: /^Show the license/ }))
      await page.getByRole('heading', { name: '099101-R-339101-004' }).waitFor()
      await look(visitor, 'license')
      await press(page.getByRole('link', { name: 'Great Britain' }).first())
      await page.getByRole('heading', { name: 'Great Britain' }).waitFor()
      await look(visitor, 'market')
    },
  )

  site.journey('a customer lists the blocked sites of a market', async ({ visit, press, look }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/domains')
    await press(page.getByRole('link', { name: /^blocklisted \d/ }))
    await press(page.getByRole('link', { name: /^Italy \d/ }))
    await press(page.getByRole('button', { name: /^Show/ }))
    await page.getByRole('link', { name: 'redkite-casino.example' }).waitFor()
    await look(visitor, 'sites')
  })

  site.journey('a customer requests a check of a site', async ({ visit, press, look, hasScripts }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/domains/luckyotter.example')
    await press(page.getByRole('button', { name: 'Check for 10 credits' }))
    await page.getByText('The site is being checked').waitFor()
    if (hasScripts) {
      const part = await page.waitForResponse(each => each.request().headers()['hx-request'] === 'true')
      expect(await part.text()).toMatch(/^<div id="check"/)
    }
    await look(visitor, 'check')
    await press(page.getByRole('link', { name: 'Look again' }))
    await page.getByRole('heading', { name: 'Check of a site' }).waitFor()
  })

  site.journey('a customer reads the newest changes of a market', async ({ visit, press, choose, look }) => {
    const visitor = await visit(await member())
    const { page, open } = visitor
    await open('/dashboard/feeds')
    await look(visitor, 'feeds')
    await press(page.getByRole('link', { name: /New sites on a platform/ }))
    await page.getByLabel('Platform').waitFor()
    await press(page.getByRole('link', { name: /Register changes/ }))
    await choose(page.getByLabel('Market'), 'ukgc')
    await press(page.getByRole('button', { name: 'Show the days' }))
    await press(page.getByRole('button', { name: /^Show these \d+ for at most/ }))
    await page.getByText('Wagtail Wagers Ltd').waitFor()
    await look(visitor, 'feeds-signals')
  })

  test('results of the box appear while typing, and are reached by the arrow keys', async () => {
    const visitor = await site.visit({ as: await member() })
    const { page, open } = visitor
    await open('/dashboard/usage')
    await page.keyboard.press('/')
    await page.keyboard.type('otter')
    await page.locator('#found a').first().waitFor()
    await inspect(visitor, 'search-box')
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.closest('#found') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('#found a').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
  })

  test('an account without credits is refused before any data are looked up', async () => {
    const visitor = await site.visit({ as: await member(0) })
    const { page, open } = visitor
    await open('/dashboard')
    await inspect(visitor, 'overview-used-up')
    await open('/dashboard/domains/luckyotter.example')
    await page.getByRole('button', { name: 'Show the verdict for 1 credit' }).click()
    await page.getByRole('alert').first().waitFor()
  })
})
