import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { createKey, listAccountKeys, revokeKey } from '../features/account/index.ts'
import { type Out, table } from './output.ts'
import { dayOf } from './read-time.ts'
import { withSession } from './session.ts'

export function keyCommands(program: Command, out: Out): void {
  const key = program.command('key').description('API keys. A key is shown once; only its hash is kept.')

  key
    .command('create <account>')
    .description('Make a key and show it this once.')
    .option('--name <name>', 'what it is for')
    .option('--expires <date>', 'the day (YYYY-MM-DD, UTC) from which it is refused')
    .action(async (ref: string, { name, expires }: { name?: string; expires?: string }) => {
      const expiresAt = expires === undefined ? null : dayOf('--expires', expires)
      if (expiresAt !== null && expiresAt <= new Date())
        throw new StaffError(
          `--expires takes a day to come; a key that ends on ${expires} would be refused at once.`,
        )
      const created = await withSession(({ world }) =>
        createKey(world, ref, { name: name ?? null, expiresAt }),
      )
      out.print({
        json: created,
        text: `${created.api_key}\n(${created.key_ref}; the key is not shown again)`,
      })
    })

  key
    .command('list <account>')
    .description('The keys of an account, by their last four characters.')
    .action(async (ref: string) => {
      const keys = await withSession(({ world }) => listAccountKeys(world, ref))
      out.print({ json: keys, text: table(keys) })
    })

  key
    .command('revoke <key-ref>')
    .description('Refuse a key from now on; every process does so within 5 seconds.')
    .action(async (keyRef: string) => {
      await withSession(({ world }) => revokeKey(world, keyRef))
      out.print({ json: { key_ref: keyRef, revoked: true }, text: `${keyRef} is revoked` })
    })
}
