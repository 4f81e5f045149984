import { expect } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

describePages(
  'the dossier of a verdict',
  async () => {
    const service = await startService({ world: 'demo_with_registers', isReachable: true })
    return { ...service, account: await service.customer({ credits: 1_000 }) }
  },
  site => {
    site.journey('a person prints what was bought, and downloads its evidence', async hands => {
      const visitor = await hands.visit({ accountRef: site.service.account.accountRef, role: 'member' })
      const { page } = visitor
      await visitor.open('/dashboard/domains/luckyotter.example')
      const buy = page.getByRole('button', { name: /^(Show the verdict|Get today's) for 1 credit/ })
      await hands.press(buy)
      await hands.press(page.getByRole('link', { name: 'Dossier to print' }))
      await page.getByRole('heading', { name: 'What was checked' }).waitFor()
      await hands.look(visitor, 'dossier')
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('link', { name: 'Overview' }).isVisible()).toBe(false)
      expect(await page.getByRole('heading', { name: 'What registers say' }).isVisible()).toBe(true)
      if (hands.way === 'mouse')
        await page.screenshot({ path: 'test-results/screenshots/dossier-print.png', fullPage: true })
      await page.emulateMedia({ media: 'screen' })
      const downloading = page.waitForEvent('download')
      await hands.press(page.getByRole('link', { name: 'Download evidence (zip)' }))
      expect((await downloading).suggestedFilename()).toMatch(/^evidence-luckyotter\.example-.+\.zip$/)
    })
  },
)
