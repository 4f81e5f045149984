import { counted } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { planNames } from '../core/operation.ts'
import {
  type AccountRow,
  accountData,
  accountsListedMax,
  changePlan,
  createAccount,
  eraseAccount,
  grantCredits,
  listAccounts,
  listPlanChanges,
  requireAccount,
} from '../features/account/index.ts'
import { aCommand } from '../features/audit/index.ts'
import { accountUsageCommands } from './account-usage.ts'
import { readWordOption, wholeNumber } from './read-argument.ts'
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
          plan: readWordOption('--plan', planNames, plan),
          creditsGranted: wholeNumber('--credits', credits),
          by: aCommand,
        }),
      )
      const credited =
        created.credits_granted === null ? 'unlimited credits' : counted(created.credits_granted, 'credit')
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
        grantCredits(world, ref, { credits: wholeNumber('CREDITS', credits), note: why, by: aCommand }),
      )
      out.print({
        json: { account_ref: row.account_ref, ...accountData(row) },
        text: printTable([accountData(row)]),
      })
    })

  account
    .command('show <account>')
    .description('Show plan and balance.')
    .action(async (ref: string) => {
      const { shown, changes } = await withSession(async ({ world }) => ({
        shown: accountColumns(await requireAccount(world, ref)),
        changes: await listPlanChanges(world, ref),
      }))
      const history = changes.length === 0 ? '' : `\n\n${printTable(changes)}`
      out.print({ json: { ...shown, plan_changes: changes }, text: `${printTable([shown])}${history}` })
    })

  account
    .command('plan <account> <plan>')
    .description('Change the plan. Running services follow within 5 seconds.')
    .option('--why <words>', 'the reason, stored with the change', 'changed by staff')
    .action(async (ref: string, plan: string, { why }: { why: string }) => {
      const wanted = readWordOption('PLAN', planNames, plan)
      const row = await withSession(({ world }) =>
        changePlan(world, ref, { plan: wanted, reason: why, now: new Date(), by: aCommand }),
      )
      out.print({ json: accountColumns(row), text: `${row.account_ref} has the plan ${row.plan}` })
    })

  account
    .command('erase <account>')
    .description('Remove its portfolios, stored and bought answers, keys and members. The ledger stays.')
    .requiredOption('--why <words>', 'the reason, stored in the audit')
    .action(async (ref: string, { why }: { why: string }) => {
      const now = new Date()
      const removed = await withSession(({ world }) => eraseAccount(world, ref, { why, now, by: aCommand }))
      out.print({ json: { account_ref: ref, removed }, text: printTable([removed]) })
    })

  listAccountsCommand(account, out)
  accountUsageCommands(account, out)
}

function listAccountsCommand(account: Command, out: Out): void {
  account
    .command('list')
    .description('List accounts with plan and balance, oldest first.')
    .option('--after <account>', 'only those created after this account')
    .option('--limit <n>', `how many, ${accountsListedMax} at most`, '100')
    .action(async ({ after, limit }: { after?: string; limit: string }) => {
      const rows = wholeNumber('--limit', limit)
      const accounts = await withSession(({ world }) => listAccounts(world, { after, limit: rows }))
      const more = accounts.length === rows ? `\n(go on with --after ${accounts.at(-1)?.account_ref})` : ''
      out.print({
        json: accounts.map(accountColumns),
        text: `${printTable(accounts.map(accountColumns))}${more}`,
      })
    })
}

const accountColumns = (row: AccountRow) => ({
  account_ref: row.account_ref,
  name: row.name,
  ...accountData(row),
})
