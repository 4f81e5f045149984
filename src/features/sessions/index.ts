import { switchAccount } from './switch-account.ts'

export {
  deleteEndedSessions,
  findSession,
  insertSession,
  sessionHours,
  sessionIdPattern,
  takeSession,
} from './session-store.ts'
export { createLink, type LinkMail, linkMailTask, requestLink, signInByLink } from './sign-in.ts'
export { deleteExpiredLinks, findLink, linkMinutes, signInLinkPattern } from './sign-in-link-store.ts'

export const accountSwitch = [switchAccount]
