// Checks a receipt in the page and sends nothing. It follows the client's `verifyReceipt` in the same module.
const part = document.querySelector('[data-verify]')
const [receiptField, answerField, keysField] = part.querySelectorAll('textarea')
part.hidden = false
part.previousElementSibling.hidden = true
part.querySelector('button').addEventListener('click', async () => {
  const result = part.querySelector('[role=status]')
  result.replaceChildren()
  try {
    result.append(...shown(await check()))
  } catch (error) {
    result.append(notice('bad', refusal(error)))
  }
})

async function check() {
  const given = receiptField.value.trim()
  const inside = given.startsWith('{') ? jsonOf(given, 'The receipt') : undefined
  const receipt = inside === undefined ? given : String((inside.data ?? inside).receipt)
  const answer = answerField.value.trim() === '' ? inside : jsonOf(answerField.value, 'The answer')
  const keys = jsonOf(keysField.value, 'The key set')
  if (!Array.isArray(keys.keys)) throw new BaizeError('The key set must have a list "keys".')
  return { says: await verifyReceipt(receipt, keys, answer), hasAnswer: answer !== undefined }
}

function jsonOf(text, name) {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new BaizeError(`${name} must be JSON.`)
  }
}

function shown({ says, hasAnswer }) {
  const signed = `${says.iss} signed this at ${new Date(says.iat * 1_000).toISOString()}.`
  const belongs = hasAnswer
    ? 'The answer is the one that was signed.'
    : 'Paste the answer, too, to see whether it is the one that was signed.'
  const demo = says.demo ? ' It is of the fictional demo world.' : ''
  const text = document.createElement('pre')
  text.textContent = JSON.stringify(says, null, 2)
  return [notice('good', `The receipt verifies. ${signed}${demo} ${belongs}`), text]
}

function notice(tone, text) {
  const box = document.createElement('p')
  box.className = `notice ${tone}`
  box.textContent = text
  return box
}

const refusal = error =>
  error instanceof BaizeError ? error.message : `This browser cannot check Ed25519 (${error.message}).`
