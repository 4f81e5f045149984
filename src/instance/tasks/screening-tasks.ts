import { listRunningScreenings, screenBatch, screenTask } from '../../features/portfolios/index.ts'
import type { Task } from '../../jobs/index.ts'
import { recurring } from './recurring-task.ts'

/**
 * Screens portfolios at once when a person starts it, and each minute what a stopped worker left. Each gets a
 * batch in turn, so that a long one delays no other.
 */
export const screenPortfolios = ({ now }: { now: () => Date }): Task =>
  recurring(screenTask.name, async ({ world, log, signal }) => {
    const failed = new Set<number>()
    for (;;) {
      const open = (await listRunningScreenings(world.database)).filter(
        each => !failed.has(each.portfolio_id),
      )
      if (open.length === 0) return
      for (const screening of open) {
        if (signal.aborted) return
        await screenBatch(world, screening, now).catch(error => {
          failed.add(screening.portfolio_id)
          log.warn({ err: error }, 'a batch of a screening failed; it is tried again in a minute')
        })
      }
    }
  })
