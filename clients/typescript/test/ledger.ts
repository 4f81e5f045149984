import type { TestService } from '../../../test/harness/service.ts'

/** Returns the charges of an account from the ledger. */
export async function chargesOf(service: TestService, accountRef: string): Promise<string[]> {
  const entries = await service.service.live.database
    .selectFrom('ledger_entries')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .where('account_ref', '=', accountRef)
    .where('kind', '=', 'charge')
    .select(['price_key', 'units'])
    .orderBy('entry_id')
    .execute()
  return entries.map(({ price_key, units }) => `${units} ${price_key}`)
}
