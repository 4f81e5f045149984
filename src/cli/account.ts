import type { Command } from 'commander'
import { planNames } from '../core/operation.ts'
import { accountData, createAccount, grantCredits, requireAccount } from '../features/account/index.ts'
import { accountUsageCommands } from './account-usage.ts'
import { type Out, table } from './output.ts'
import { oneOf, wholeNumber } from './read-argument.ts'
import { withSession } from './session.ts'

export function accountCommands(program: Command, out: Out): void {
  const account = program.command('account').description('Accounts and their credits.')

  account
    .command('create')
    .description('Create an account.')
    .requiredOption('--name <name>', 'the name of the account')
    .option('--plan <plan>', planNames.join(', '), 'free')
    .option('--credits <n>', 'credits granted on creation', '0')
    .action(async ({ name, plan, credits }: { name: string; plan: string; credits: string }) => {
      const created = await withSession(({ world }) =>
        createAccount(world, {
          name,
          plan: oneOf('--plan', planNames, plan),
          creditsGranted: wholeNumber('--credits', credits),
        }),
      )
      const credited = `${created.credits_granted ?? 'unlimited'} credits`
      out.print({
        json: created,
        text: `${created.account_ref}  ${created.name}, plan ${plan}, ${credited}`,
      })
    })

  account
    .command('grant <account> <credits>')
    .description('Grant prepaid credits; they do not expire.')
    .option('--why <words>', 'the note in the ledger', 'granted by staff')
    .action(async (ref: string, credits: string, { why }: { why: string }) => {
      const row = await withSession(({ world }) =>
        grantCredits(world, ref, wholeNumber('CREDITS', credits), why),
      )
      out.print({
        json: { account_ref: row.account_ref, ...accountData(row) },
        text: table([accountData(row)]),
      })
    })

  account
    .command('show <account>')
    .description('Show plan and balance.')
    .action(async (ref: string) => {
      const row = await withSession(({ world }) => requireAccount(world, ref))
      const shown = { account_ref: row.account_ref, name: row.name, ...accountData(row) }
      out.print({ json: shown, text: table([shown]) })
    })

  accountUsageCommands(account, out)
}
