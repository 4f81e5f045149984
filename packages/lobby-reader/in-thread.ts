/** Reads lobbies in a worker thread, so that no hostile page can stop the process. */
import { ThreadPool } from '@baize/threads'
import type { LobbyView } from './lobby.ts'
import type { SeenLobby } from './lobby-thread.ts'

export type { SeenLobby } from './lobby-thread.ts'

/** Eleven DOMs of at most 4 MB each. */
const lobbyCpuMsMax = 20_000

const threads = new ThreadPool<LobbyView, SeenLobby>(new URL('./lobby-thread.ts', import.meta.url), {
  threadsMax: 1,
  taskCpuMsMax: lobbyCpuMsMax,
  taskMsMax: 120_000,
  idleMsMax: 30_000,
  resources: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 },
})

/** Resolves to null if the lobby exceeds the limits of time and memory. */
export const readLobbyInThread = (view: LobbyView, signal?: AbortSignal): Promise<SeenLobby | null> =>
  threads.run(view, { signal })
