import type { Out } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
import { rotateReceiptKey } from '../features/receipts/index.ts'
import { withSession } from './session.ts'

export function receiptCommands(program: Command, out: Out): void {
  const receipt = program.command('receipt').description('Signed receipts of answers.')

  receipt
    .command('rotate-key')
    .description('Sign receipts with a new key. Former keys stay in /.well-known/jwks.json.')
    .option('--revoke <kid>', 'a leaked key: its receipts verify no more')
    .option('--why <reason>', 'why it is revoked; published with the key')
    .action(async ({ revoke: kid, why }: { revoke?: string; why?: string }) => {
      if ((kid === undefined) !== (why === undefined))
        throw new StaffError(
          '"--revoke" and "--why" go together: a revoked key is published with its reason.',
        )
      const revoke = kid === undefined || why === undefined ? undefined : { kid, why }
      const report = await withSession(({ world }) =>
        rotateReceiptKey(world, { now: new Date(), by: aCommand, revoke }),
      )
      const revoked = kid === undefined ? '' : `; ${kid} is revoked`
      out.print({ json: report, text: `${report.kid} signs receipts now${revoked}.` })
    })
}
