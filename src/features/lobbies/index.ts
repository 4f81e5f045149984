import { createLobbyRun } from './create-lobby-run.ts'
import { listLobbyChanges, listLobbyRuns, showLobbyRun } from './read-lobby-runs.ts'

export type { ListedLobbyRuns, ShownLobbyRun } from './account-lobbies.ts'
export { lobbySessionOperations } from './account-lobbies.ts'
export { supplierKey } from './describe-run.ts'
export { failedVisit, failLostVisits, finishVisit } from './finish-lobby-run.ts'
export { claimVisit, isOpenVisit, verifyLobbyRuns } from './lobby-store.ts'
export { lobbyTask } from './start-lobby-run.ts'

export const lobbyOperations = [createLobbyRun, showLobbyRun, listLobbyRuns, listLobbyChanges]
