/** Reads the lobby of a casino from the visible DOM of one visit. */
export { findLobbyLinks } from './find-lobby-links.ts'
export {
  type Lobby,
  type LobbyGame,
  type LobbySection,
  lobbyLimits,
  sectionKinds,
  supplierMatches,
} from './lobby.ts'
export { readLobby } from './read-lobby.ts'
