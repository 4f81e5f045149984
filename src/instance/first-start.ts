import { isDefaultDataDirectory, type Settings } from '../config/settings.ts'
import { demoKey } from '../core/api-key.ts'
import { anyAccountExists, createAccount, createKey } from '../features/account/index.ts'
import type { OpenedService } from '../http/open-service.ts'

const firstCredits = 1_000

/** What a newcomer is told: commands that work as they are printed. The key is shown this once; only its hash is kept. */
export async function greet(service: OpenedService, settings: Settings, url: string): Promise<string> {
  const telling = tellDataDirectory(settings)
  const lines = [
    `Baize serves ${url}  (documentation: ${url}/docs)`,
    '',
    'The demo world, with the demo key:',
  ]
  lines.push(`  curl -H 'X-API-Key: ${demoKey}' '${url}/v1/domains/resolve?domain=luckyotter.example'`)
  if (!(await anyAccountExists(service.live.database))) {
    const account = await createAccount(service.live, {
      name: 'Local',
      plan: 'growth',
      creditsGranted: firstCredits,
    })
    const { api_key: key } = await createKey(service.live, account.account_ref, { name: 'first start' })
    lines.push(
      '',
      `A first account was made: ${account.account_ref}, plan growth, ${firstCredits} credits. Its key, shown this once:`,
      `  ${key}`,
      `  curl -H 'X-API-Key: ${key}' '${url}/v1/account'`,
      '',
      'Its data is empty. Load the fictional world, or real registers:',
      ...telling,
      '  npm run baize -- import demo/*.ndjson',
      '  npm run baize -- register sync czechia.blocklist --file FILE.csv',
      `  curl -H 'X-API-Key: ${key}' '${url}/v1/domains/resolve?domain=luckyotter.example'`,
    )
  } else {
    lines.push('', 'Another key for an account:', ...telling, '  npm run baize -- key create ACCOUNT')
  }
  return lines.join('\n')
}

/**
 * Another shell does not know what this process was started with: its commands would make a database of their own in
 * ./var, and say that all went well.
 */
function tellDataDirectory({ dataDirectory, databaseUrl }: Settings): string[] {
  if (databaseUrl !== null || isDefaultDataDirectory(dataDirectory)) return []
  if (process.platform === 'win32') return [`  $env:DATA_DIR = '${dataDirectory.replaceAll("'", "''")}'`]
  return [`  export DATA_DIR='${dataDirectory.replaceAll("'", `'\\''`)}'`]
}
