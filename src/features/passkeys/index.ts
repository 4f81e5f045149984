export { passkeyOperations, type Security } from './own-passkeys.ts'
export { deleteExpiredChallenges, hasPasskey } from './passkey-store.ts'
export { passkeysWork } from './relying-party.ts'
export { offerSignIn, signInByPasskey } from './sign-in-by-passkey.ts'
