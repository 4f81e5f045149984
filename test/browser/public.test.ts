import { test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'

describePages(
  'public pages',
  () => startService({ world: 'demo_with_registers', isReachable: true }),
  site => {
    site.journey('a visitor looks up a verdict on the first page', async ({ visit, press, choose, look }) => {
      const visitor = await visit()
      const { page } = visitor
      await visitor.open('/')
      await look(visitor, 'home')
      await choose(page.getByLabel('Domain'), 'redkite-casino.example')
      await press(page.getByRole('button', { name: 'Look up' }))
      await page.getByText('✕ blocklisted').waitFor()
    })

    site.journey('a visitor finds the sources of a market', async ({ visit, press, type, choose, look }) => {
      const visitor = await visit()
      const { page } = visitor
      await visitor.open('/coverage')
      await look(visitor, 'coverage')
      await choose(page.getByLabel('State'), 'stale')
      await type(page.getByLabel('Market, regulator or source'), 'italy')
      await press(page.getByRole('button', { name: 'Show' }))
      await page.waitForURL('**/coverage?state=stale*')
      await press(page.locator('summary', { hasText: 'Italy: blocklist' }))
      await page.getByText('Address probed').waitFor()
      await look(visitor, 'coverage-source')
      await press(page.getByRole('link', { name: 'Show all' }))
      await page.waitForURL('**/coverage')
    })

    test('the pages of errors and of the documentation can be read without a sign-in', async () => {
      const visitor = await site.visit()
      for (const [path, name] of [
        ['/nothing-here', 'not-found'],
        ['/docs', 'docs'],
        ['/docs/reference/resolve_domain', 'docs-operation'],
        ['/docs/quickstart', 'docs-quickstart'],
        ['/docs/dashboard', 'docs-dashboard'],
        ['/docs/keys', 'docs-keys'],
        ['/docs/errors', 'docs-errors'],
      ] as const) {
        await visitor.open(path)
        await inspect(visitor, name, { isFamiliar: name === 'docs-keys' || name === 'docs-errors' })
      }
    })
  },
)
