import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SettingsError } from './read-variable.ts'
import { type Environment, readSettings, type Settings } from './settings.ts'

describe('default settings', () => {
  const defaults: Settings = {
    port: 8080,
    host: '127.0.0.1',
    metricsPort: null,
    baseUrl: 'http://localhost:8080',
    logoUrl: 'http://localhost:8080/logos',
    imageUrl: 'http://localhost:8080/images',
    securityContact: null,
    dataDirectory: resolve('var'),
    isDataDirectorySet: false,
    files: { kind: 'folder', path: resolve('var/files') },
    databaseUrl: null,
    databaseReplicaUrl: null,
    redisUrl: null,
    throttlePerMinute: 100,
    stopDelaySeconds: 0,
    usageKeepMonths: null,
    trustProxy: null,
    logLevel: 'info',
    mail: null,
    network: { allowedHosts: [], dnsServers: [], caFile: null, connectTo: [], proxy: null },
    rendering: { isOn: true, chromiumPath: null, hasSandbox: true, rendersAtOnce: 2 },
    observation: {
      isOn: true,
      waitSeconds: 240,
      captureRetentionDays: 400,
      perDay: 0,
      rdapBootstrap: null,
      firmographicsUrl: null,
      contactsUrl: null,
      country: null,
    },
  }

  test('an empty environment gives the default settings', () => {
    expect(readSettings({})).toEqual(defaults)
  })

  test('an empty value counts as not set, as in a compose file', () => {
    const empty = {
      PORT: '',
      HOST: ' ',
      BASE_URL: '',
      DATABASE_URL: '',
      REDIS_URL: '',
      LOG_LEVEL: '',
      TRUST_PROXY: '',
      OUTBOUND_ALLOW_HOSTS: '',
    }
    expect(readSettings(empty)).toEqual(defaults)
  })
})

const defaultNetwork = readSettings({}).network
const defaultObservation = readSettings({}).observation

const networks: [Environment, Partial<Settings['network']>][] = [
  [{ OUTBOUND_ALLOW_HOSTS: '127.0.0.1:8081' }, { allowedHosts: ['127.0.0.1:8081'] }],
  [
    { OUTBOUND_ALLOW_HOSTS: ' Lists.Internal:80, [::1]:8081 ' },
    { allowedHosts: ['lists.internal:80', '[::1]:8081'] },
  ],
  [{ DNS_SERVERS: '127.0.0.1:5300, 1.1.1.1' }, { dnsServers: ['127.0.0.1:5300', '1.1.1.1'] }],
  [{ DNS_SERVERS: '[::1]:53' }, { dnsServers: ['[::1]:53'] }],
  [{ OUTBOUND_CA_FILE: 'ca.pem' }, { caFile: resolve('ca.pem') }],
  [
    { OUTBOUND_CONNECT_TO: '*:443:127.0.0.1:8443,:80:[::1]:' },
    {
      connectTo: [
        { host: null, port: 443, toHost: '127.0.0.1', toPort: 8443 },
        { host: null, port: 80, toHost: '::1', toPort: null },
      ],
    },
  ],
  [{ OUTBOUND_PROXY: 'http://proxy.example:3128' }, { proxy: 'http://proxy.example:3128' }],
]

const checks: [Environment, Partial<Settings['observation']>][] = [
  [{ OUTBOUND_COUNTRY: 'mt' }, { country: 'MT' }],
  [{ OBSERVE: 'off' }, { isOn: false }],
  [{ CHECK_WAIT_SECONDS: '5' }, { waitSeconds: 5 }],
  [{ CAPTURE_RETENTION_DAYS: '30' }, { captureRetentionDays: 30 }],
  [{ OBSERVE_PER_DAY: '1000' }, { perDay: 1_000 }],
  [{ RDAP_BOOTSTRAP: 'dns.json' }, { rdapBootstrap: resolve('dns.json') }],
  [{ RDAP_BOOTSTRAP: 'https://rdap.example/dns.json' }, { rdapBootstrap: 'https://rdap.example/dns.json' }],
]

const postgres = 'postgresql://baize:secret@db.example:5432/baize'

const bucket = (
  name: string,
  prefix: string,
  endpoint: string | null = null,
  region: string | null = null,
) => ({
  kind: 'bucket' as const,
  bucket: name,
  prefix,
  endpoint,
  region,
})

const valid: [Environment, Partial<Settings>][] = [
  [{ PORT: '1' }, { port: 1, baseUrl: 'http://localhost:1' }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ PORT: ' 8081 ' }, { port: 8_081 }],
  [{ METRICS_PORT: '9464' }, { metricsPort: 9_464, port: 8_080 }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', baseUrl: 'http://0.0.0.0:8080' }],
  [{ HOST: '::1' }, { host: '::1', baseUrl: 'http://[::1]:8080' }],
  [{ HOST: 'api.internal', PORT: '80' }, { baseUrl: 'http://api.internal:80' }],
  [{ BASE_URL: 'https://api.baize.example/' }, { baseUrl: 'https://api.baize.example', port: 8080 }],
  [{ BASE_URL: 'https://baize.example/data//' }, { logoUrl: 'https://baize.example/data/logos' }],
  [
    { LOGO_URL: 'https://cdn.example/' },
    { logoUrl: 'https://cdn.example', baseUrl: 'http://localhost:8080' },
  ],
  [
    { SMTP_URL: 'smtps://user:password@mail.internal', BASE_URL: 'https://baize.example/data' },
    { mail: { smtpUrl: 'smtps://user:password@mail.internal', from: 'baize@baize.example' } },
  ],
  [
    { SMTP_URL: 'smtp://mail.internal:587?requireTLS=true', MAIL_FROM: 'Baize <b@baize.example>' },
    { mail: { smtpUrl: 'smtp://mail.internal:587?requireTLS=true', from: 'Baize <b@baize.example>' } },
  ],
  [{ MAIL_FROM: 'b@baize.example' }, { mail: null }],
  [{ DATA_DIR: '/srv/baize' }, { dataDirectory: resolve('/srv/baize'), isDataDirectorySet: true }],
  [
    { DATA_DIR: 'data' },
    {
      dataDirectory: resolve('data'),
      isDataDirectorySet: true,
      files: { kind: 'folder', path: resolve('data/files') },
    },
  ],
  [{ FILES_URL: '/srv/files' }, { files: { kind: 'folder', path: resolve('/srv/files') } }],
  [{ FILES_URL: 'files' }, { files: { kind: 'folder', path: resolve('files') } }],
  [{ FILES_URL: 's3://baize-files' }, { files: bucket('baize-files', '') }],
  [{ FILES_URL: 's3://baize-files/' }, { files: bucket('baize-files', '') }],
  [{ FILES_URL: 's3://baize.files/live/eu/' }, { files: bucket('baize.files', 'live/eu/') }],
  [
    { FILES_URL: 's3://files/x', AWS_ENDPOINT_URL: 'http://minio:9000', AWS_REGION: 'eu-north-1' },
    { files: bucket('files', 'x/', 'http://minio:9000', 'eu-north-1') },
  ],
  [
    {
      FILES_URL: 's3://files',
      AWS_ENDPOINT_URL: 'http://others',
      AWS_ENDPOINT_URL_S3: 'https://files.example',
      AWS_DEFAULT_REGION: 'auto',
    },
    { files: bucket('files', '', 'https://files.example', 'auto') },
  ],
  [{ DATABASE_URL: postgres }, { databaseUrl: postgres, databaseReplicaUrl: null }],
  [
    { DATABASE_URL: 'postgres://db/baize?sslmode=require' },
    { databaseUrl: 'postgres://db/baize?sslmode=require' },
  ],
  [
    { DATABASE_URL: postgres, DATABASE_REPLICA_URL: 'postgres://two/baize' },
    { databaseReplicaUrl: 'postgres://two/baize' },
  ],
  [
    {
      DATABASE_URL:
        'postgres://baize:p%40ss@one:5432,two:5433,[fd00::3]/baize?target_session_attrs=read-write',
    },
    {
      databaseUrl:
        'postgres://baize:p%40ss@one:5432,two:5433,[fd00::3]/baize?target_session_attrs=read-write',
    },
  ],
  [
    {
      DATABASE_URL: 'postgres://one/baize',
      DATABASE_REPLICA_URL: 'postgres:///baize?host=/one,/two&port=5432',
    },
    { databaseReplicaUrl: 'postgres:///baize?host=/one,/two&port=5432' },
  ],
  [{ REDIS_URL: 'redis://cache:6379/1' }, { redisUrl: 'redis://cache:6379/1' }],
  [{ REDIS_URL: 'rediss://cache' }, { redisUrl: 'rediss://cache' }],
  [{ STOP_DELAY_SECONDS: '10' }, { stopDelaySeconds: 10 }],
  [{ THROTTLE_PER_MINUTE: '0' }, { throttlePerMinute: 0 }],
  [{ THROTTLE_PER_MINUTE: '1000000' }, { throttlePerMinute: 1_000_000 }],
  [{ USAGE_KEEP_MONTHS: '1' }, { usageKeepMonths: 1 }],
  [{ USAGE_KEEP_MONTHS: '1200' }, { usageKeepMonths: 1_200 }],
  [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
  [{ TRUST_PROXY: '10.0.0.0/8, fd00::/8' }, { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
  [{ TRUST_PROXY: '192.0.2.7' }, { trustProxy: ['192.0.2.7'] }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ...networks.map(([environment, network]): [Environment, Partial<Settings>] => [
    environment,
    { network: { ...defaultNetwork, ...network } },
  ]),
  ...checks.map(([environment, more]): [Environment, Partial<Settings>] => [
    environment,
    { observation: { ...defaultObservation, ...more } },
  ]),
  [
    { RENDER: 'off', RENDERS_AT_ONCE: '4', CHROMIUM_PATH: '/opt/chromium', CHROMIUM_NO_SANDBOX: '1' },
    { rendering: { isOn: false, rendersAtOnce: 4, chromiumPath: '/opt/chromium', hasSandbox: false } },
  ],
]

test('valid settings are returned as numbers, lists and URLs', () => {
  for (const [environment, settings] of valid)
    expect({ environment, ...readSettings(environment) }).toMatchObject({ environment, ...settings })
})

const refused: [name: string, value: string][] = [
  ['RENDER', 'maybe'],
  ['OUTBOUND_COUNTRY', 'Malta'],
  ['RENDERS_AT_ONCE', '0'],
  ['CHROMIUM_NO_SANDBOX', 'yes'],
  ['PORT', 'abc'],
  ['PORT', '-1'],
  ['PORT', '0'], // Port 0 would print a URL that does not work.
  ['PORT', '80.5'],
  ['PORT', '65536'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['HOST', 'http://localhost'],
  ['HOST', '127.0.0.1:8080'],
  ['HOST', 'two words'],
  ['HOST', '999.1.1.1'],
  ['BASE_URL', 'api.baize.example'],
  ['BASE_URL', 'ftp://baize.example'],
  ['BASE_URL', 'https://baize.example/?a=1'],
  ['LOGO_URL', 'logos'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'db.example:5432/baize'],
  ['DATABASE_URL', `${postgres}?options=-csearch_path%3Dpublic`],
  ['DATABASE_URL', 'postgres://one,two:x/baize'],
  ['DATABASE_URL', 'postgres:///baize?host=/one,/two,/three&port=5432,5433'],
  ['DATABASE_URL', `postgres://${'one,'.repeat(16)}two/baize`],
  ['DATABASE_URL', 'postgres://one,two/baize?target_session_attrs=any'],
  ['DATABASE_REPLICA_URL', 'postgres://one,two/baize?target_session_attrs=read-write'],
  ['FILES_URL', 's3://'],
  ['FILES_URL', 's3:/files'],
  ['FILES_URL', 'file:///srv/files'],
  ['FILES_URL', 's3://Files'],
  ['FILES_URL', 's3://files/../others'],
  ['FILES_URL', 's3://key:secret@files'],
  ['FILES_URL', 'gs://files'],
  ['FILES_URL', 'https://files.example'],
  ['REDIS_URL', 'http://cache:6379'],
  ['REDIS_URL', 'cache:6379'],
  ['REDIS_URL', 'redis://cache:6379/abc'],
  ['REDIS_URL', 'redis://cache:6379/1/2'],
  ['STOP_DELAY_SECONDS', '11'],
  ['THROTTLE_PER_MINUTE', '-1'],
  ['THROTTLE_PER_MINUTE', '1.5'],
  ['THROTTLE_PER_MINUTE', 'none'],
  ['THROTTLE_PER_MINUTE', '1000001'],
  ['USAGE_KEEP_MONTHS', '0'],
  ['USAGE_KEEP_MONTHS', '1201'],
  ['USAGE_KEEP_MONTHS', 'ever'],
  ['TRUST_PROXY', '0'],
  ['TRUST_PROXY', '33'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', 'proxy.internal'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', 'fd00::/129'],
  ['TRUST_PROXY', '10.0.0.0/8,'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_LEVEL', 'INFO'],
  ['DNS_SERVERS', 'dns.example'],
  ['DNS_SERVERS', '127.0.0.1:0'],
  ['OUTBOUND_CONNECT_TO', '*:443'],
  ['OUTBOUND_CONNECT_TO', '*:443:127.0.0.1:70000'],
  ['OUTBOUND_PROXY', 'socks5://proxy.example'],
  ['OBSERVE', 'yes'],
  ['CHECK_WAIT_SECONDS', '241'],
  ['CAPTURE_RETENTION_DAYS', '0'],
  ['OBSERVE_PER_DAY', '-1'],
  ['FIRMOGRAPHICS_URL', 'https://firms.example/'],
  ['CONTACTS_URL', 'https://{domain}/contacts'],
  ['SMTP_URL', 'mail.internal:25'],
  ['SMTP_URL', 'https://mail.internal'],
  ['SMTP_URL', 'smtp:mail.internal'],
  ['MAIL_FROM', 'baize'],
  ['MAIL_FROM', 'a@b.example, c@d.example'],
  ['OUTBOUND_ALLOW_HOSTS', 'lists.internal'],
  ['OUTBOUND_ALLOW_HOSTS', 'http://lists.internal:80'],
  ['OUTBOUND_ALLOW_HOSTS', 'lists.internal:0'],
  ['OUTBOUND_ALLOW_HOSTS', 'lists.internal:65536'],
  ['OUTBOUND_ALLOW_HOSTS', 'lists.internal:80,'],
  ['OUTBOUND_ALLOW_HOSTS', '*:80'],
  ['OUTBOUND_ALLOW_HOSTS', '10.0.0.0/8:80'],
  ['OUTBOUND_ALLOW_HOSTS', '[::1:80'],
]

test('hosts that other settings name are allowed with their port', () => {
  const { network, observation } = readSettings({
    FIRMOGRAPHICS_URL: 'http://firms.internal:8090/of/{domain}',
    CONTACTS_URL: 'https://people.internal/?site={domain}',
  })
  expect(network.allowedHosts).toEqual(['firms.internal:8090', 'people.internal:443'])
  expect(observation.firmographicsUrl).toBe('http://firms.internal:8090/of/{domain}')
})

test('an invalid setting is refused, and the error names it', () => {
  for (const [name, value] of refused) {
    const read = () => readSettings({ [name]: value })
    expect(read, `${name}=${value}`).toThrow(SettingsError)
    expect(read, `${name}=${value}`).toThrow(new RegExp(`^${name}=.* is invalid: it must be .+\\.$`))
  }
})

test('a replica URL without a URL of its primary is refused', () => {
  expect(() => readSettings({ DATABASE_REPLICA_URL: postgres })).toThrow(/^DATABASE_REPLICA_URL=/)
})

test.each(['DATABASE_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL', 'SMTP_URL'])(
  'an error about %s does not repeat the value, which may contain a password',
  name => {
    const refusal = (value: string) => {
      try {
        readSettings({ [name]: value })
      } catch (error) {
        return (error as Error).message
      }
      return null
    }
    for (const value of ['mysql://baize:secret@db', 'secret', `${postgres}?options=-c`]) {
      expect(refusal(value)).toMatch(new RegExp(`^${name}=`))
      expect(refusal(value)).not.toContain('secret')
    }
  },
)
