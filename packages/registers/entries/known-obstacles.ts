import { readDataFile } from '../read-data-file.ts'

export type Obstacle = { found: string; on: string; source: string }

/** A text has the day and source of the file. */
type Found = Readonly<Record<string, string | Obstacle>>

type Notes = { on: string; source: string; streams: Found; markets: Found }
const file = new URL('known-obstacles.yaml', import.meta.url)
const { on, source, streams, markets } = readDataFile<Notes>(file)

const obstacles = (notes: Found): Readonly<Record<string, Obstacle>> =>
  Object.fromEntries(
    Object.entries(notes).map(([key, found]) => [
      key,
      typeof found === 'string' ? { found, on, source } : found,
    ]),
  )

export const obstaclesOfStreams = obstacles(streams)
export const obstaclesOfMarkets = obstacles(markets)
