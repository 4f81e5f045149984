import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '@baize/names'
import { StaffError } from '../../core/staff-error.ts'

const filesMax = 20_000
const namesShownMax = 5

type DatedFiles = { takenAt: Date; paths: string[] }

/** Groups files of one date into one snapshot. The date is in the name of the file, or of its folder. */
export async function datedFilesIn(directory: string): Promise<DatedFiles[]> {
  const byDate = new Map<number, string[]>()
  const undated: string[] = []
  let count = 0
  for await (const { path, names } of filesIn(directory)) {
    count += 1
    if (count > filesMax) throw new StaffError(`${directory} has more than ${filesMax} files.`)
    const date = names.map(dateIn).find(each => each !== null)
    if (date == null) undated.push(names.join('/'))
    else byDate.set(date, [...(byDate.get(date) ?? []), path])
  }
  if (undated.length > 0)
    throw new StaffError(
      `${counted(undated.length, 'file has', 'files have')} no date in the name: ` +
        `${undated.toSorted().slice(0, namesShownMax).join(', ')}. ` +
        'Names must contain a date such as 2026-10-01 or 20261001, or be in a folder whose name does.',
    )
  if (count === 0) throw new StaffError(`${directory} has no files.`)
  return [...byDate]
    .toSorted(([one], [other]) => one - other)
    .map(([date, paths]) => ({ takenAt: new Date(date), paths: paths.toSorted() }))
}

type Found = { path: string; names: string[] }

/** Yields the files of the folder and of its folders, one level deep, without hidden ones. */
async function* filesIn(directory: string): AsyncGenerator<Found, void> {
  for (const entry of await entriesOf(directory)) {
    const path = join(directory, entry.name)
    if (entry.isFile()) yield { path, names: [entry.name] }
    if (!entry.isDirectory()) continue
    for (const inner of await entriesOf(path))
      if (inner.isFile()) yield { path: join(path, inner.name), names: [inner.name, entry.name] }
  }
}

async function entriesOf(directory: string) {
  const folder = await opendir(directory).catch((error: Error) => {
    throw new StaffError(`${directory} cannot be read: ${error.message}`)
  })
  const entries = await Array.fromAsync(folder)
  return entries.filter(entry => !entry.name.startsWith('.'))
}

/** Returns midnight UTC of a day such as 2026-10-01, 2026_10_01 or 20261001, or null. */
function dateIn(name: string): number | null {
  const [, year, month, day] =
    /(?<!\d)(20\d\d)([-._]?)(\d\d)\2(\d\d)(?!\d)/.exec(name)?.filter((_, at) => at !== 2) ?? []
  if (year === undefined) return null
  const text = `${year}-${month}-${day}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : date.getTime()
}
