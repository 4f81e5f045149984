import { spawn } from 'node:child_process'
import { BaizeError } from '../index.ts'
import type { Event } from './event-file.ts'

/**
 * Runs a shell command with the event on stdin. The command line contains nothing of the event, so it
 * cannot inject.
 */
export function runProgram(command: string, event: Event): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, BAIZE_SIGNAL_REF: event.signal_ref },
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new BaizeError(`The command ended with ${signal ?? code} for ${event.signal_ref}.`))
    })
    // Ignores errors of stdin, because a command need not read its input.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(event)}\n`)
  })
}
