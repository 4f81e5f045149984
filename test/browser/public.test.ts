import { test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press } from './keyboard.ts'

describePages(
  'public pages',
  () => startService({ world: 'demo_with_registers', isReachable: true }),
  site => {
    test.each([true, false])('a verdict is looked up on the first page, scripts: %s', async hasScripts => {
      const visitor = await site.visit({ hasScripts })
      const { page } = visitor
      await visitor.open('/')
      if (hasScripts) await inspect(visitor, 'home')
      await page.getByLabel('Domain').selectOption('redkite-casino.example')
      await press(page, page.getByRole('button', { name: 'Look up' }))
      await page.getByText('✕ blocklisted').waitFor()
    })

    test('coverage, the form and an error are ready for a customer', async () => {
      const visitor = await site.visit()
      for (const [path, name] of [
        ['/coverage', 'coverage'],
        ['/request-a-list', 'request-a-list'],
        ['/nothing-here', 'not-found'],
        ['/docs/dashboard', 'docs-dashboard'],
        ['/docs/keys', 'docs-keys'],
        ['/docs/errors', 'docs-errors'],
      ] as const) {
        await visitor.open(path)
        await inspect(visitor, name)
      }
    })
  },
)
