import type { Settings } from '../config/settings.ts'
import { demoKey } from '../core/api-key.ts'
import { createAccount, createKey, listAccounts } from '../features/account/index.ts'
import { aCommand } from '../features/audit/index.ts'
import { addUser, grantStaff, listUsers } from '../features/members/index.ts'
import { handOutLink, linkMinutes } from '../features/sessions/index.ts'
import type { OpenedService } from '../http/open-service.ts'
import { commandVariables } from './command-variables.ts'
import { isLoopback } from './loopback.ts'

const firstCredits = 1_000
const localOwner = 'owner@localhost'

/**
 * Returns the greeting of `npm start`. Creates the first account, and on loopback its owner. Only hashes of
 * the key and of the link are stored.
 */
export async function greet(service: OpenedService, settings: Settings): Promise<string> {
  const url = settings.baseUrl
  const variables = commandVariables(settings).map(indented)
  const lines = [
    `Baize serves ${url}  (documentation: ${url}/docs)`,
    '',
    'The demo world, with the demo key:',
  ]
  lines.push(`  curl -H 'X-API-Key: ${demoKey}' '${url}/v1/domains/resolve?domain=luckyotter.example'`)
  const [known] = await listAccounts(service.live, { limit: 1 })
  if (known === undefined) {
    const account = await createAccount(service.live, {
      name: 'Local',
      plan: 'growth',
      creditsGranted: firstCredits,
      by: aCommand,
    })
    const { api_key: key } = await createKey(service.live, account.account_ref, {
      name: 'first start',
      by: aCommand,
    })
    lines.push(
      '',
      `The first account was created: ${account.account_ref}, plan growth, ${firstCredits} credits.`,
      'Its key, which is shown only now:',
      `  ${key}`,
      `  curl -H 'X-API-Key: ${key}' '${url}/v1/account'`,
      '',
      ...(await firstSignIn(service, settings, account.account_ref)),
      '',
      'It has no data yet. Import the demo world, or real registers:',
      ...variables,
      '  npm run baize -- import demo/*.ndjson',
      '  npm run baize -- register sync czechia.blocklist --file FILE.csv',
      `  curl -H 'X-API-Key: ${key}' '${url}/v1/domains/resolve?domain=luckyotter.example'`,
    )
  } else {
    const [user] = await listUsers(service.live, known.account_ref)
    lines.push(
      '',
      'A link to the dashboard, and another key for an account:',
      ...variables,
      `  npm run baize -- user link ${user?.email ?? 'MAIL'}`,
      `  npm run baize -- key create ${known.account_ref}`,
    )
  }
  return lines.join('\n')
}

/** Returns a sign-in link only on loopback, because elsewhere others may read the log. */
async function firstSignIn(
  { live }: OpenedService,
  settings: Settings,
  accountRef: string,
): Promise<string[]> {
  if (!isLoopback(settings.host))
    return [
      'To sign in to its dashboard, add a user and print a link:',
      ...commandVariables(settings).map(indented),
      `  npm run baize -- user add ${accountRef} MAIL --role owner`,
      '  npm run baize -- user link MAIL',
    ]
  await addUser(live, { accountRef, email: localOwner, role: 'owner' })
  await grantStaff(live, localOwner)
  const link = await handOutLink(live.database, localOwner, new Date())
  return [
    `Its dashboard, as ${localOwner}; the link works once, for ${linkMinutes} minutes:`,
    `  ${settings.baseUrl}/sign-in/${link}`,
  ]
}

const indented = (line: string) => `  ${line}`
