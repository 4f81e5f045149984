import { findRunning } from '@baize/data-directory'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { memberRoles } from '../core/session-operation.ts'
import { StaffError } from '../core/staff-error.ts'
import { requireAccount } from '../features/account/index.ts'
import {
  addUser,
  grantStaff,
  listStaff,
  listUsers,
  removeStaff,
  removeUser,
} from '../features/members/index.ts'
import { handOutLink, linkMinutes, nextPath, withNext } from '../features/sessions/index.ts'
import { readWordOption } from './read-argument.ts'
import { withSession } from './session.ts'

type Words = (string | undefined)[]
type Options = { staff?: true; role?: string }

export function userCommands(program: Command, out: Out): void {
  const user = program.command('user').description('People who sign in to the dashboard.')

  user
    .command('add [account] [mail]')
    .description('Add a user to an account, or change the role; with --staff only MAIL, for all accounts.')
    .option('--role <role>', `${memberRoles.join(', ')} or staff`)
    .option('--staff', 'staff: reviews, lists and accounts of the whole service')
    .action(async (account: string | undefined, mail: string | undefined, options: Options) => {
      if (options.staff) return addStaff(out, onlyMail([account, mail], options))
      const [accountRef, email] = accountAndMail([account, mail])
      if (options.role === undefined)
        throw new StaffError(`Set --role to one of ${memberRoles.join(', ')}, staff.`)
      const role = readWordOption('--role', [...memberRoles, 'staff'], options.role)
      if (role === 'staff') {
        await withSession(({ world }) => requireAccount(world, accountRef))
        return addStaff(out, email)
      }
      const added = await withSession(({ world }) => addUser(world, { accountRef, email, role }))
      out.print({
        json: { user_ref: added.user_ref, email: added.email, account_ref: accountRef, role },
        text: `${added.email} is ${role} of ${accountRef}.`,
      })
    })

  user
    .command('list [account]')
    .description('List the users of an account with their roles, or staff with --staff.')
    .option('--staff', 'the users who are staff')
    .action(async (account: string | undefined, { staff }: Options) => {
      if ((staff === true) === (account !== undefined))
        throw new StaffError('Name an account, or set --staff.')
      const users = await withSession(async ({ world }) =>
        account === undefined
          ? (await listStaff(world)).map(({ user_ref, email }) => ({ user_ref, email, role: 'staff' }))
          : (await listUsers(world, account)).map(({ user_ref, email, role, created_at: added }) => ({
              user_ref,
              email,
              role,
              added,
            })),
      )
      out.print({ json: users, text: printTable(users) })
    })

  user
    .command('remove [account] [mail]')
    .description('Remove a user from an account, or staff with --staff. Open pages follow within 5 seconds.')
    .option('--staff', 'with only MAIL: the user is staff no more')
    .action(async (account: string | undefined, mail: string | undefined, options: Options) => {
      if (options.staff) {
        const email = onlyMail([account, mail], options)
        await withSession(({ world }) => removeStaff(world, email))
        out.print({ json: { email, is_staff: false }, text: `${email} is staff no more.` })
        return
      }
      const [accountRef, email] = accountAndMail([account, mail])
      await withSession(({ world }) => removeUser(world, { accountRef, email }))
      out.print({
        json: { email, account_ref: accountRef, removed: true },
        text: `${email} is removed from ${accountRef}.`,
      })
    })

  linkCommand(user, out)
}

function linkCommand(user: Command, out: Out): void {
  user
    .command('link <mail>')
    .description(`Print a link that signs a user in once, within ${linkMinutes} minutes.`)
    .option('--next <path>', 'the page of the dashboard that it leads to')
    .action(async (email: string, options: { next?: string }) => {
      const next = options.next === undefined ? null : nextPath(options.next)
      if (options.next !== undefined && next === null)
        throw new StaffError('--next must be a path of the dashboard, such as /dashboard/keys.')
      const { dataDirectory, baseUrl } = readSettings()
      const running = await findRunning(dataDirectory)
      const link = await withSession(({ world }) => handOutLink(world.database, email, new Date()))
      const url = withNext(`${running?.url ?? baseUrl}/sign-in/${link}`, next)
      out.print({
        json: { email, url, minutes: linkMinutes },
        text: `${url}\n(${email}; it works once, for ${linkMinutes} minutes)`,
      })
    })
}

async function addStaff(out: Out, email: string): Promise<void> {
  const { user_ref, email: address } = await withSession(({ world }) => grantStaff(world, email))
  out.print({ json: { user_ref, email: address, is_staff: true }, text: `${address} is staff.` })
}

function accountAndMail([account, mail]: Words): [account: string, mail: string] {
  if (account === undefined || mail === undefined) throw new StaffError('Name an account and a user.')
  return [account, mail]
}

function onlyMail([mail, more]: Words, { role }: Options): string {
  if (mail === undefined || more !== undefined || role !== undefined)
    throw new StaffError('With --staff name only the user: no account, no --role.')
  return mail
}
