/** The code of a worker thread that reads one lobby after the other. */
import { answerTasks } from '@baize/threads/body'
import { findLobbyLinks } from './find-lobby-links.ts'
import type { Lobby, LobbyView } from './lobby.ts'
import { readLobby } from './read-lobby.ts'
import { hasSignIn } from './read-step.ts'

export type SeenLobby = Lobby & { links: string[]; hasSignIn: boolean }

answerTasks((view: LobbyView): SeenLobby => {
  const last = view.steps.at(-1) ?? ''
  return { ...readLobby(view), links: findLobbyLinks(last, view.url), hasSignIn: hasSignIn(last) }
})
