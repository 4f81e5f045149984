import { expect } from 'vitest'
import { startService } from '../harness/service.ts'
import { blocklist } from './decided-snapshots.ts'
import { describePages, type Traveller } from './describe-pages.ts'

async function start() {
  const service = await startService({ world: 'demo_with_registers', isReachable: true })
  return { ...service, list: blocklist(service) }
}

describePages('snapshots', start, site => {
  const title = 'estonia.blocklist'

  async function opened({ visit }: Traveller) {
    const visitor = await visit({ isStaff: true })
    const { page, open } = visitor
    await open('/dashboard/staff/snapshots')
    const card = page.locator('section.card').filter({ hasText: title })
    const applied = page.getByRole('row', { name: new RegExp(title) })
    return { visitor, page, card, applied }
  }

  /** Waits for the outcome. With scripts the page shows it without a click. */
  async function seeOutcome({ press, hasScripts }: Traveller, { page }: Awaited<ReturnType<typeof opened>>) {
    const progress = page.getByText(/^Being/)
    if (!hasScripts) await press(page.getByRole('link', { name: 'Look again' }))
    await progress.waitFor({ state: 'detached' })
  }

  site.journey('staff approve a quarantined snapshot, which is applied', async traveller => {
    const { press, type, look } = traveller
    await site.service.list.read(100, { isApproved: true })
    await site.service.list.read(60)
    const seen = await opened(traveller)
    const { visitor, page, card, applied } = seen
    await press(card.getByText('Examples of each kind of change'))
    await look(visitor, 'staff-snapshots')
    await type(card.getByLabel('Why it is right'), 'The regulator confirmed the shorter list by mail.')
    await press(card.getByRole('button', { name: 'Approve and apply' }))
    await card.getByText('Being applied').waitFor()
    await look(visitor, 'staff-snapshots-applying')
    const other = page.getByRole('row', { name: /ukgc/ })
    await press(other.getByText('Discard', { exact: true }))
    await type(other.getByLabel('Why it was wrong'), 'half a reason')
    await site.service.list.carryOut()
    await seeOutcome(traveller, seen)
    await page.getByText('No snapshot is quarantined.').waitFor()
    // An update of the page by its script must not change the text that is being typed.
    if (traveller.hasScripts)
      expect(await other.getByLabel('Why it was wrong').inputValue()).toBe('half a reason')
    expect(await applied.textContent()).toMatch(/60/)
    await look(visitor, 'staff-snapshots-none')
  })

  site.journey('staff discard a quarantined snapshot, and the last good data stay', async traveller => {
    const { press, type } = traveller
    await site.service.list.read(100, { isApproved: true })
    await site.service.list.read(7)
    const seen = await opened(traveller)
    const { page, card, applied } = seen
    await type(card.getByLabel('Why it is wrong'), 'A maintenance page with seven addresses.')
    await press(card.getByRole('button', { name: 'Discard it' }))
    await card.getByText('Being taken back').waitFor()
    await site.service.list.carryOut()
    await seeOutcome(traveller, seen)
    await page.getByText('No snapshot is quarantined.').waitFor()
    expect(await applied.textContent()).toMatch(/100/)
  })

  site.journey(
    'staff discard an applied snapshot, and a failed decision shows its reason',
    async traveller => {
      const { press, type, look } = traveller
      await site.service.list.read(100, { isApproved: true })
      await site.service.list.read(40, { isApproved: true })
      const seen = await opened(traveller)
      const { visitor, page, applied } = seen
      const takeBack = async () => {
        await press(applied.getByText('Discard', { exact: true }))
        await type(applied.getByLabel('Why it was wrong'), 'The file of another day')
        await press(applied.getByRole('button', { name: 'Take it back' }))
        await applied.getByText('Being taken back').waitFor()
      }
      await takeBack()
      await site.service.list.fail('It failed; the log has the reason.')
      await seeOutcome(traveller, seen)
      await press(applied.getByText('Discard', { exact: true }))
      await applied.getByText('It failed; the log has the reason.').waitFor()
      await look(visitor, 'staff-snapshots-failed')
      await page.reload()
      await takeBack()
      await site.service.list.carryOut()
      await seeOutcome(traveller, seen)
      expect(await applied.textContent()).toMatch(/100/)
    },
  )
})
