import type { Transaction } from '../../database/open.ts'
import { writePortfolio } from './portfolios-store.ts'

/** The portfolio of the demo key, which cannot change it. */
export const demoPortfolio = {
  name: 'merchants',
  note: 'Sites that we process payments for',
  domains: ['luckyotter.example', 'redkite-casino.example', 'twofaced.example', 'neverheard.example'],
}

export async function insertDemoPortfolio(tx: Transaction, accountId: number, now: Date): Promise<void> {
  const { name, note, domains } = demoPortfolio
  await writePortfolio(
    tx,
    { accountId, name },
    { note, add: new Set(domains), remove: null, now, position: 0 },
  )
}
