import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import type { Approval, Session } from '../../src/protocol/resources.ts'
import { needsBrowser } from './browser.ts'
import { call, openConsole, openSession } from './console.ts'

const write = (id: string, file: string, content: string) => call(id, 'write_file', { path: file, content })

test('a denial with a reason: the agent is told, nothing is written', needsBrowser, async (t) => {
  const { page, decision, say, server, sessionId } = await openConsole(t, { session: 'Denied' })
  await say('write a.txt containing "x"')
  await decision.getByRole('button', { name: 'Deny with reason' }).click()
  await page.getByLabel('Reason, told to the agent').fill('not on a Monday')
  await decision.getByRole('button', { name: 'Deny', exact: true }).click()
  await page.getByText('Done in').waitFor()
  t.match((await server.get(`/sessions/${sessionId}/events?limit=200`)).text, /not on a Monday/)
  await page.locator('.call-line').click()
  const round = page.locator('.round')
  await round.waitFor()
  t.match(await round.textContent(), /denied by .*Reason: not on a Monday/)
  await t.rejects(readFile(path.join(server.dataDir, 'workspaces', sessionId, 'a.txt')))
})

test('changed arguments make a new plan with its own diff, and that is what runs', needsBrowser, async (t) => {
  const { page, decision, allow, say, server, sessionId } = await openConsole(t, { session: 'Edited' })
  await say('write a.txt containing "first"')
  await decision.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('content').fill('second')
  await page.getByRole('button', { name: 'Show the new change' }).click()
  await decision.getByText('The arguments were changed by').waitFor()
  t.match(await decision.textContent(), /second/)
  t.notMatch(await decision.textContent(), /first/)
  await allow.click()
  await page.getByText('Done in').waitFor()
  t.equal(await readFile(path.join(server.dataDir, 'workspaces', sessionId, 'a.txt'), 'utf8'), 'second')
})

test('two questions at once are answered in any order', needsBrowser, async (t) => {
  const { page, decision, allow, deny, say, model, server, sessionId } = await openConsole(t, { session: 'Two', scripted: true })
  await model.script([{ tool_calls: [write('c1', 'one.txt', '1'), write('c2', 'two.txt', '2')] }, { text: 'both settled' }])
  await say('write both')
  await decision.getByText('1 of 2').waitFor()
  t.match(await decision.textContent(), /one\.txt/)
  await page.keyboard.press('n')
  await decision.getByText('2 of 2').waitFor()
  t.match(await decision.textContent(), /two\.txt/)
  await allow.click()
  await decision.getByText('one.txt').waitFor()
  t.equal(await decision.getByText('of 2').count(), 0)
  await page.waitForTimeout(450) // armed
  await deny.click()
  await page.getByText('both settled').waitFor()
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  t.equal(await readFile(path.join(workspace, 'two.txt'), 'utf8'), '2')
  await t.rejects(readFile(path.join(workspace, 'one.txt')))
})

test('the rule that is remembered is shown before it is added, and answers for the next such call', needsBrowser, async (t) => {
  const { page, decision, say, server, sessionId } = await openConsole(t, { session: 'Remembered' })
  await say('write a.txt containing "x"')
  await decision.getByRole('button', { name: 'Allow for session' }).click()
  t.match(await decision.locator('.reason pre').textContent(), /"tool":"write_file","path":"a.txt","decision":"allow"/)
  await decision.getByRole('button', { name: 'Add the rule and allow' }).click()
  await page.getByText('Done in').waitFor()
  await say('write a.txt containing "y"')
  await page.getByText('Done in').nth(1).waitFor()
  t.match((await server.get<Session>(`/sessions/${sessionId}`)).json.policy.rules, [{ tool: 'write_file', path: 'a.txt', decision: 'allow' }])
})

test('keys do all of it: to and fro, a reason, other arguments, the rule for the session', needsBrowser, async (t) => {
  const { page, decision, say, model, server, sessionId } = await openConsole(t, { session: 'Keys', scripted: true })
  await model.script([{ tool_calls: ['one', 'two', 'three'].map((name) => write(name, `${name}.txt`, name)) }, { text: 'all settled' }])
  const { keyboard } = page
  await say('write three')
  const at = async (place: string, file: string): Promise<void> => {
    await decision.getByText(place).waitFor()
    await decision.locator('.summary').getByText(file).waitFor()
    await page.waitForTimeout(450) // armed
  }
  await at('1 of 3', 'one.txt')
  await keyboard.press('p')
  await at('3 of 3', 'three.txt')
  await keyboard.press('n')
  await at('1 of 3', 'one.txt')

  await keyboard.press('r')
  await keyboard.type('not needed') // the letters of the keys are letters here
  await keyboard.press('Escape')
  await keyboard.press('s')
  await decision.getByText('"path":"one.txt"').waitFor()
  t.equal((await server.get<Session>(`/sessions/${sessionId}`)).json.policy.rules.length, 0, 'shown, not added')
  await keyboard.press('Escape')
  await keyboard.press('r')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await at('1 of 2', 'two.txt')

  await keyboard.press('e')
  await page.getByLabel('content').waitFor()
  await keyboard.press('Escape')
  await keyboard.press('e')
  await page.getByLabel('content').fill('2nd')
  await page.getByRole('button', { name: 'Show the new change' }).focus()
  await keyboard.press('Enter')
  await decision.getByText('The arguments were changed by').waitFor()
  await page.waitForTimeout(450) // armed
  await keyboard.press('s')
  await decision.getByText('"path":"two.txt"').waitFor()
  await keyboard.press('Control+Enter')
  await decision.locator('.summary').getByText('three.txt').waitFor()
  await page.waitForTimeout(450) // armed
  await keyboard.press('Control+Enter')
  await page.getByText('all settled').waitFor()
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  t.equal(await readFile(path.join(workspace, 'two.txt'), 'utf8'), '2nd')
  t.equal(await readFile(path.join(workspace, 'three.txt'), 'utf8'), 'three')
  t.match((await server.get<Session>(`/sessions/${sessionId}`)).json.policy.rules, [{ tool: 'write_file', path: 'two.txt', decision: 'allow' }])
  t.match((await server.get(`/sessions/${sessionId}/events?limit=200`)).text, /"outcome":"denied"[^\n]*"reason":"not needed"/)
})

test('a file that changed meanwhile brings the new plan, and an old click allows nothing', needsBrowser, async (t) => {
  const { page, decision, allow, say, server, sessionId } = await openConsole(t, { session: 'Changed' })
  await say('write a.txt containing "new"')
  await allow.waitFor()
  await writeFile(path.join(server.dataDir, 'workspaces', sessionId, 'a.txt'), 'somebody was here\n')
  await page.waitForTimeout(450) // armed
  await allow.click()
  await decision.getByText('has changed meanwhile').waitFor()
  t.match(await decision.textContent(), /somebody was here/)
  await decision.getByRole('button', { name: 'Whole file' }).click()
  await decision.getByRole('button', { name: 'Only the changes' }).waitFor()
  t.match(await decision.locator('.diff').textContent(), /somebody was here/)
  await page.waitForTimeout(450)
  await allow.click()
  await page.getByText('Done in').waitFor()
  t.equal(await readFile(path.join(server.dataDir, 'workspaces', sessionId, 'a.txt'), 'utf8'), 'new')
})

test('somebody else decides: the question goes, and it is said who; another session\'s question is told', needsBrowser, async (t) => {
  const keys = 'alice:the-key-of-alice-0123,bob:the-key-of-bob-012345678'
  const { page, decision, say, server, sessionId } = await openConsole(t, { session: 'Shared', env: { API_KEYS: keys } })
  await say('write a.txt containing "x"')
  await decision.waitFor()
  const { json: { items } } = await server.get<{ items: Approval[] }>('/approvals?status=pending')
  await server.post(`/approvals/${items[0]?.callId}`, { decision: 'approve' }, { key: 'the-key-of-bob-012345678' })
  await page.getByText('write_file: approved by bob').waitFor()
  await decision.waitFor({ state: 'detached' })

  const { json: other } = await server.post<Session>('/sessions', { title: 'Elsewhere' })
  await server.post(`/sessions/${other.id}/messages`, { content: 'write b.txt containing "x"' }, { headers: { prefer: 'respond-async' } })
  await page.getByText('“Elsewhere” waits for a decision').waitFor()
  t.match(await page.title(), /^\(1\) Shared/)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await decision.getByText('b.txt').first().waitFor()
  await openSession(page, sessionId)
})

test('somebody else was quicker by a moment, or decides on what I have changed: it is said who', needsBrowser, async (t) => {
  const keys = 'alice:the-key-of-alice-0123,bob:the-key-of-bob-012345678'
  const { page, decision, allow, say, server } = await openConsole(t, { session: 'Race', env: { API_KEYS: keys } })
  const denyAsBob = async (round: number): Promise<void> => {
    const { json: { items } } = await server.get<{ items: Approval[] }>('/approvals?status=pending')
    const mine = items.find((approval) => approval.round === round)
    await server.post(`/approvals/${mine?.callId}`, { decision: 'deny', digest: mine?.digest }, { key: 'the-key-of-bob-012345678' })
  }
  await say('write race.txt containing "x"')
  await decision.waitFor()
  await page.waitForTimeout(450) // armed
  await page.route('**/approvals/call_*', async (route) => {
    await denyAsBob(1)
    await route.continue()
  }, { times: 1 })
  await allow.click()
  await page.getByText('write_file: denied by bob').waitFor()
  await decision.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close' }).click()

  await say('write race.txt containing "first"')
  await decision.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('content').fill('second')
  await page.getByRole('button', { name: 'Show the new change' }).click()
  await decision.getByText('The arguments were changed by').waitFor()
  await denyAsBob(2)
  await page.getByText('write_file: denied by bob').waitFor()
})

test('invisible characters stand as marks, with a warning', needsBrowser, async (t) => {
  const { decision, say, model } = await openConsole(t, { session: 'Hidden', scripted: true })
  await model.script([{ tool_calls: [write('c1', 'a.sh', 'echo \u202Esafe\u200B\n')] }, { text: 'ok' }])
  await say('go')
  await decision.getByText('cannot be seen').waitFor()
  t.match(await decision.locator('.diff').textContent(), /⟨U\+202E⟩safe⟨U\+200B⟩/)
})

test('a command is shown whole with where and how long it may run, and its output as it appears', needsBrowser, async (t) => {
  // Commands run as another user, who must be able to get there.
  const env = { DATA_DIR: path.join(t.testdir(), 'data'), API_KEYS: 'me:the-key-of-the-test-01' }
  const { page, decision, allow, say, model, server } = await openConsole(t, { session: 'Command', scripted: true, alone: true, env })
  const { json: { capabilities } } = await server.get<{ capabilities: Array<{ name: string, available: boolean, reason: string | null }> }>('/ready')
  const unavailable = capabilities.find(({ name, available }) => name === 'run_command' && !available)
  if (unavailable !== undefined) {
    t.pass(`no run_command here: ${unavailable.reason}`, { skip: true })
    return
  }
  await model.script([{ tool_calls: [call('c1', 'run_command', { command: 'echo first; sleep 2; echo second' })] }, { text: 'it ran' }])
  await say('run it')
  await decision.waitFor()
  t.equal(await decision.locator('.command').textContent(), 'echo first; sleep 2; echo second')
  t.match(await decision.locator('.notes').textContent(), /\S/)
  await page.waitForTimeout(450) // armed
  await allow.click()
  const timeline = page.getByRole('complementary')
  await timeline.locator('.output').getByText('first').waitFor()
  t.notMatch(await timeline.locator('.output').textContent(), /second/)
  await page.getByText('it ran').waitFor()
  await page.locator('.call-line').click()
  await timeline.locator('.details').getByText(/first\nsecond|first.*second/s).first().waitFor()
})
