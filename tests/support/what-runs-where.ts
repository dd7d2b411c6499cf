/**
 * Which tests run where. A server test runs on SQLite and again on MariaDB, unless what it is about ends before a
 * statement or begins after it. A fault test runs with the others, unless it is long.
 *
 * `npm run test:long` runs every test of servers and every fault on both databases, as the workflow does each night.
 */

/** True for `npm run test:long`, and for whoever runs vitest by hand with `TEST_LONG=1`. */
export const RUNS_LONG = process.env['TEST_LONG'] === '1';

/**
 * Tests that do not depend on the database: they run on SQLite. What selects by text, orders, locks, counts,
 * migrates, must be unique, or races with another request stays out of this list.
 */
export const ON_ONE_DATABASE: readonly string[] = [
  // HTTP: headers, hosts, codings, files, metrics, and who may call what.
  'backend/http/{answer-webhooks,how-many,http,metrics,origin,ownership,policy,product,proof-policy,send-body,stop,token-policy,web-build}.server.test.ts',
  // What endpoints answer to any input, before a statement.
  'tests/properties/{endpoints,bad-input,source-addresses}.server.test.ts',
  'backend/http/api-document/{answers,api-document}.server.test.ts',
  // What is logged and traced. A log with the database's own secrets is looked through each night.
  'backend/platform/logger/logger.server.test.ts',
  'backend/platform/tracing/tracing.server.test.ts',
  // Sign-in, its throttles and its cookies. Sessions of one member that change at once are in own-sessions.
  'backend/identity/sessions/{default-credentials,sessions}.server.test.ts',
  'backend/identity/tokens/{token-rule,tokens}.server.test.ts',
  // What identity providers answer, and what a session of theirs may do. Accounts that they make run on both.
  'backend/identity/oidc/{provider-answers,oidc-sessions,oidc-sign-in,back-channel-logout}.server.test.ts',
  // What is asked for beside the password. Codes that two requests use at once run on both.
  'backend/identity/second-step/{after-password,own-second-step,passkey-second-step}.server.test.ts',
  'backend/identity/factors/{passkeys,remembered-browsers}.server.test.ts',
  // What passwords may be, and the account that no administrator changes.
  'backend/identity/accounts/{weak-passwords,link-makers,user-cli}.server.test.ts',
  'backend/identity/users/break-glass.server.test.ts',
  'backend/identity/audit/attribution.server.test.ts',
  // How far a body is read, by whose key, and what a sender's body becomes.
  'backend/intake/webhooks/{echo-handshakes,mapping-rules,marked-tests,senders,strangers,transport,understood,test-alert,mapped-deliveries}.server.test.ts',
  // What a mail becomes: it goes the webhooks' way.
  'backend/intake/mail/received-mails.server.test.ts',
  // Settings that are refused before a database is opened, and the process that holds the server.
  'backend/{main,refused-start}.server.test.ts',
  // Sockets that do not read, or send what they should not.
  'backend/platform/live/{bad-clients,looking}.server.test.ts',
  'tests/properties/sockets.server.test.ts',
  // Mails: what they say, and what a mail server answers. Of several servers one sends: digests run on both.
  'backend/outgoing/mails/{mail,mention-mails}.server.test.ts',
  'backend/outgoing/people/calendars.server.test.ts',
  'backend/identity/users/security-mails.server.test.ts',
  // What services of chats and webhooks are sent, and what their answers mean. Claims, order and kills: tests/faults.
  'backend/outgoing/messages/{flapping-messages,live-message-words,outgoing-chats,outgoing-destinations,outgoing-webhooks,phones}.server.test.ts',
  'backend/outgoing/tickets/{hidden-tickets,outgoing-tickets}.server.test.ts',
  // What push services answer, and when something is sent again. Devices that are unique run on both.
  'backend/outgoing/push/{push-crowd,push-delivery,push-devices,push-hanging,push-notices,push-settings,push-trouble,push-views,push-withdrawals}.server.test.ts',
  // What chats are sent and send back. That two who press at once are one owner is a rule of alerts, which runs on both.
  'backend/outgoing/chat/chat-buttons.server.test.ts',
  // What webhooks of senders that Alertdesk has asked to keep quiet say, and that it changes nothing.
  'backend/outgoing/silences/sender-echoes.server.test.ts',
  // What is masked before anything is stored.
  'backend/intake/webhooks/canaries.server.test.ts',
  // Bytes of SQLite's file.
  'backend/intake/delivery-log/log-size.server.test.ts',
  // What SNS is asked.
  'backend/intake/webhooks/sns-subscription.server.test.ts',
  // Clients of the product, and what is read from all of it.
  'scripts/{configure/configure,export,demo/demo,import/import}.server.test.ts',
  'backend/transfer/export/own-data.server.test.ts',
  // SQLite's own faults, and a page for operators that is run: MariaDB's part of these each night.
  'tests/faults/{backup-drill,full-disk}.fault.test.ts',
];

/**
 * Faults that take long to provoke. Those that run each time: a killed process, a full disk, two servers of which one
 * goes, statements that fail and commits whose answer is lost, a backup that is taken and restored by the page about it.
 */
export const LONG_FAULTS: readonly string[] = [
  'tests/faults/{alertmanager,alertmanager-silences,alertmanager-storm,cluster-storm,frozen-database,full-mariadb-disk,galera,half-open-database,incidents}.fault.test.ts',
  'tests/faults/{asked-sender-kill,chat-accept,chat-kill,feed-burst,feed-reconnect,flapping-kills,heartbeat-kills,hour-away,kill-during-archive,ladder-kills,lost-leader,overload,proxies,two-releases,workers}.fault.test.ts',
];
