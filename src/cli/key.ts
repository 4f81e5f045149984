import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { createKey, listAccountKeys, revokeKey } from '../features/account/index.ts'
import { aCommand } from '../features/audit/index.ts'
import { dayOf } from './read-argument.ts'
import { withSession } from './session.ts'

export function keyCommands(program: Command, out: Out): void {
  const key = program.command('key').description('API keys. A key is shown once; only its hash is stored.')

  key
    .command('create <account>')
    .description('Create a key and print it once.')
    .option('--name <name>', 'a name for the key')
    .option('--expires <date>', 'the first day (YYYY-MM-DD, UTC) on which it is refused')
    .action(async (ref: string, { name, expires }: { name?: string; expires?: string }) => {
      const expiresAt = expires === undefined ? null : dayOf('--expires', expires)
      if (expiresAt !== null && expiresAt <= new Date())
        throw new StaffError(`--expires must be a future day; ${expires} has passed.`)
      const created = await withSession(({ world }) =>
        createKey(world, ref, { name: name ?? null, expiresAt, by: aCommand }),
      )
      out.print({
        json: created,
        text: `${created.api_key}\n(${created.key_ref}; this key is not shown again)`,
      })
    })

  key
    .command('list <account>')
    .description('List the keys of an account with their last four characters.')
    .action(async (ref: string) => {
      const keys = await withSession(({ world }) => listAccountKeys(world, ref))
      out.print({ json: keys, text: printTable(keys) })
    })

  key
    .command('revoke <key-ref>')
    .description('Revoke a key. Every process refuses it within 5 seconds.')
    .action(async (keyRef: string) => {
      await withSession(({ world }) => revokeKey(world, keyRef, { by: aCommand }))
      out.print({ json: { key_ref: keyRef, revoked: true }, text: `${keyRef} is revoked.` })
    })
}
