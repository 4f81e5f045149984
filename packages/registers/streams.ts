/** Lists every register that Baize reads, in the order of the keys. */
import { describedStream, factsOf } from './description/described-stream.ts'
import type { CodedRegister } from './description/description-schema.ts'
import { descriptions } from './descriptions.ts'
import { withoutPeople } from './entries/without-people.ts'
import { readBrazilianBrands } from './readers/brazil/read-brands.ts'
import { readCzechBlocklist } from './readers/czechia/read-blocklist.ts'
import { readDanishOperators } from './readers/denmark/read-operators.ts'
import { readMaltaLicensees } from './readers/malta/read-licensees.ts'
import { readUkgcRegister } from './readers/ukgc/read-register.ts'
import { readUkraineLicences } from './readers/ukraine/read-licences.ts'
import { readUkraineSites } from './readers/ukraine/read-sites.ts'
import type { Stream } from './stream.ts'

const readers: Readonly<Record<string, Stream['read']>> = {
  'brazil.brands': readBrazilianBrands,
  'czechia.blocklist': readCzechBlocklist,
  'denmark.operators': readDanishOperators,
  'mga.licensees': readMaltaLicensees,
  'ukgc.licences': readUkgcRegister,
  'ukraine.licences': readUkraineLicences,
  'ukraine.sites': readUkraineSites,
}

function codedStream(register: CodedRegister): Stream {
  const read = readers[register.key]
  if (read === undefined) throw new Error(`${register.key} has no reader in streams.ts`)
  const { version, makes_market_entries = false, infers_holders } = register.reader
  return {
    ...factsOf(register),
    format: register.format,
    publishes: register.publishes,
    makesMarketEntries: makes_market_entries,
    infersHolders: infers_holders,
    parserVersion: version,
    read: files => withoutPeople(read(files), register),
  }
}

export const streams: readonly Stream[] = descriptions.map(each =>
  'reader' in each ? codedStream(each) : describedStream(each),
)

export function findStream(key: string): Stream | undefined {
  return streams.find(stream => stream.key === key)
}
