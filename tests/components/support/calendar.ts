/** An iCalendar file in which somebody is on for a day. */
export const WEEK = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//EN',
  'BEGIN:VEVENT',
  'UID:1@test',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20200101T000000Z',
  'DURATION:P1D',
  'SUMMARY:Nobody',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
